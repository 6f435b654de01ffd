// A walk over what was imported, beside the same walk in one process.
#pragma once
#include <vector>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/ranks/import.hpp"
#include "zwalk/walk/walk.hpp"

namespace zwalk::test {

inline constexpr TreeOptions small_nodes{.leaf_size = 6, .coarsening = 3, .top_nodes = 4};

/// What belongs to the points of this rank, on ranks and in one process; both in the order of positions.
template <class V>
struct Compared {
    std::vector<V> found, expected;
};

/// run(tree, inputs, number of targets, row) -> a vector of a V for each target; row(position) is the row of a point among
/// all rows of the input. `value(row)` is a point's payload.
template <class I, class Space, class Value, class Run>
auto on_ranks_and_alone(Comm& comm, Space const& space, Input<I::dim, typename I::real> const& input,
                        I const& trait_for_need, Value const& value, Run const& run) {
    using Payload = typename I::Payload;
    constexpr int D = I::dim;
    Cpu const cpu(1);
    auto own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), D, small_nodes);
    auto const payload_of = [&](auto const& input_index) {
        std::vector<Payload> rows;
        for (auto const i : input_index) rows.push_back(value(std::size_t(i)));
        return Columns<Payload>(std::span<Payload const>(rows));
    };
    auto const own_payload = payload_of(own.points.input_index);
    auto const all = import_sources(comm, cpu, trait_for_need, space, own, own_payload.view());
    auto const columns = all.payload_columns();
    WalkInputs<I> inputs{columns.view(), columns.view()};
    inputs.targets = all.targets;
    if constexpr (accepts_nodes<I>) inputs.known = &all.known;
    auto const n = own.tree.size();
    auto found = run(all.tree, inputs, n, [&](pos_t i) { return all.input_index[i]; });

    auto const whole = build_tree(cpu, input.all(), D);
    auto const whole_payload = payload_of(whole.input);
    auto const expected = run(whole, WalkInputs<I>{whole_payload.view(), whole_payload.view()},
                              whole.size(), [&](pos_t i) { return index_t(whole.input[i]); });
    auto const begin = std::ptrdiff_t(own.points.ranks.positions_before(comm.rank()));
    using V = typename decltype(found)::value_type;
    return Compared<V>{std::move(found), {expected.begin() + begin, expected.begin() + begin + n}};
}

}  // namespace zwalk::test
