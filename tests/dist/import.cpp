// Walks of traits on ranks, with what they need of each other brought in: what one process with all points finds, bit for bit.
#include "zwalk/dist/import.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>

#include "dist/input.hpp"
#include "dist/ranks.hpp"
#include "dist/spreads.hpp"
#include "traits/monopole.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zorder/morton.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/walk/walk.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace zwalk::examples;

namespace {

constexpr TreeOptions small_nodes{.leaf_size = 6, .coarsening = 3, .top_nodes = 4};

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

/// The neighbours of all targets: k keys each, with rows in the place of positions.
template <int D, class T>
struct KeepRows {
    Key<T>* keys;
    pos_t k;
    void operator()(auto const& target, auto const& found) const {
        for (int i = 0; i < int(found.size()); ++i)
            keys[target.index * k + pos_t(i)] = {found.d2(i), found.position(i)};
    }
};
template <int D, class T, class Space>
bool same_neighbours(Comm& comm, Space const& space, Input<D, T> const& input, pos_t k,
                     bool exclude_self) {
    using Trait = Nearest<D, T, KeepRows<D, T>>;
    pos_t const attained = std::max<pos_t>(1, std::min<pos_t>(k, pos_t(input.rows.size())));
    Trait trait(attained);
    trait.exclude_self = exclude_self;
    auto const none = [](std::size_t) { return Empty{}; };
    using Row = std::vector<std::pair<T, index_t>>;
    auto const r = on_ranks_and_alone<Trait>(
        comm, space, input, trait, none,
        [&](auto const& tree, auto const& inputs, pos_t n, auto const& row) {
            std::vector<Key<T>> keys(std::size_t(n) * attained);
            Trait own = trait;
            own.output = {keys.data(), attained};
            walk(Cpu(2), own, space, tree, tree, inputs);
            std::vector<Row> rows(n);
            for (std::size_t i = 0; i < keys.size(); ++i)
                rows[i / attained].push_back(
                    {keys[i].d2, keys[i].pos == no_pos ? index_t(-1) : row(keys[i].pos)});
            return rows;
        });
    return r.found == r.expected;
}
}  // namespace

TEST_CASE("walks on ranks: nearest neighbours") {
    Comm comm(world());
    for_inputs<3, float>(comm, {0, 1, 7, 300}, 0, [&](auto const& input, std::size_t) {
        for (pos_t k : {1, 9})
            for (bool exclude_self : {false, true})
                CHECK(same_neighbours(comm, Open<3, float>{}, input, k, exclude_self));
    });
    for_inputs<2, double>(comm, {200}, 0, [&](auto const& input, std::size_t) {
        CHECK(same_neighbours(comm, Open<2, double>{}, input, 33, false));
    });
}

TEST_CASE("walks on ranks: nearest neighbours in periodic space") {
    Comm comm(world());
    for (double open : {1., double(infinity<float>)}) {
        Periodic<2, float> const space{{1, float(open)}};
        Input<2, float> const input{::test::make_points<2, float>("uniform", 500, 3),
                                    spread("uneven", 500, comm.size())};
        for (pos_t k : {1, 12}) CHECK(same_neighbours(comm, space, input, k, true));
    }
}

TEST_CASE("walks on ranks: counts within a radius") {
    Comm comm(world());
    using Trait = RadiusCount<3, float>;
    for_inputs<3, float>(comm, {400}, 0, [&](auto const& input, std::size_t) {
        Trait trait;
        trait.radius2 = .02f;
        auto const none = [](std::size_t) { return Empty{}; };
        Open<3, float> const space;
        auto const r =
            on_ranks_and_alone<Trait>(comm, space, input, trait, none,
                                      [&](auto const& tree, auto const& inputs, pos_t n, auto const&) {
                                          std::vector<size_type> count(n);
                                          Trait own = trait;
                                          own.count = count.data();
                                          walk(Cpu(1), own, space, tree, tree, inputs);
                                          return count;
                                      });
        CHECK(r.found == r.expected);
    });
}

TEST_CASE("walks on ranks: a payload and its summary") {
    Comm comm(world());
    for_inputs<3, float>(comm, {400}, 0, [&](auto const& input, std::size_t) {
        auto const light = [](std::size_t row) { return Star{float(row * 7919 % 101)}; };
        Open<3, float> const space;
        auto const r = on_ranks_and_alone<NearestBrighter>(
            comm, space, input, NearestBrighter{}, light,
            [&](auto const& tree, auto const& inputs, pos_t n, auto const& row) {
                std::vector<pos_t> brighter(n);
                NearestBrighter own;
                own.brighter = brighter.data();
                walk(Cpu(1), own, space, tree, tree, inputs);
                std::vector<index_t> rows;
                for (pos_t i : brighter) rows.push_back(i == no_pos ? -1 : row(i));
                return rows;
            });
        CHECK(r.found == r.expected);
    });
}

TEST_CASE("walks on ranks: pairs, which one of two ranks meets") {
    Comm comm(world());
    using Trait = PairCounts<3, float, 4>;
    for_inputs<3, float>(comm, {300}, 0, [&](auto const& input, std::size_t) {
        Trait trait;
        std::copy_n(std::array{0.f, .01f, .1f, .5f, 1.f}.begin(), 5, trait.edge2);
        Open<3, float> const space;
        Cpu const cpu(1);
        auto const count = [&](auto const& tree, TargetNodes targets) {
            typename Trait::Total total;
            WalkInputs<Trait> inputs;
            inputs.total = &total;
            inputs.targets = targets;
            walk(cpu, trait, space, tree, tree, inputs);
            return total;
        };
        auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3, small_nodes);
        auto const all = import_sources(comm, cpu, trait, space, own);
        auto const total = comm.reduce_all(count(all.tree, all.targets), [&](auto a, auto const& b) {
            trait.combine(a, b);
            return a;
        });
        auto const expected = count(build_tree(cpu, input.all(), 3), {});
        for (int i = 0; i < 4; ++i) CHECK(total.pairs[i] == expected.pairs[i]);
    });
}

TEST_CASE("walks on ranks: a trait that accepts nodes") {
    Comm comm(world());
    using Trait = Monopole<3, double>;
    Input<3, double> const input{::test::make_points<3, double>("uniform", 200, 5),
                                 spread("even", 200, comm.size())};
    auto const mass = [](std::size_t row) { return Mass<double>{double(1 + row % 10)}; };
    Trait trait;
    trait.theta2 = 1e-12;
    trait.softening2 = 1e-4;
    Open<3, double> const space;
    auto const r =
        on_ranks_and_alone<Trait>(comm, space, input, trait, mass,
                                  [&](auto const& tree, auto const& inputs, pos_t n, auto const&) {
                                      std::vector<Vec<3, double>> acceleration(n);
                                      Trait own = trait;
                                      own.acceleration = acceleration.data();
                                      walk(Cpu(1), own, space, tree, tree, inputs);
                                      return acceleration;
                                  });
    for (std::size_t i = 0; i < r.found.size(); ++i)
        for (int j = 0; j < 3; ++j)
            CHECK(r.found[i][j] == doctest::Approx(r.expected[i][j]).epsilon(1e-9));
}

TEST_CASE("walks on ranks: what a rank needs of others is near its own points") {
    Comm comm(world());
    if (comm.size() == 1) return;
    Cpu const cpu(1);
    Input<3, float> const input{::test::make_points<3, float>("uniform", 40000, 8),
                                spread("even", 40000, comm.size())};
    auto const own = make_rank_tree(cpu, z_sort(comm, cpu, input.of(comm.rank())), 3);
    RadiusCount<3, float> trait;
    trait.radius2 = 1e-4f;
    auto const all = import_sources(comm, cpu, trait, Open<3, float>{}, own);
    // Layers of leaves of a fifth of the cube's side at most, on up to six faces.
    CHECK(all.tree.size() - own.tree.size() < 2 * own.tree.size());
    CHECK(all.tree.size() > own.tree.size());
    for (pos_t i = 0; i < all.tree.size(); ++i) {
        bool const is_own = i >= all.first && i < all.first + own.tree.size();
        REQUIRE((own.points.ranks.rank_of_row(std::uint64_t(all.input_index[i])) >= 0));
        if (is_own) REQUIRE(all.input_index[i] == own.points.input_index[i - all.first]);
    }
    for (StepStats const& step : comm.stats())
        if (std::string(step.name) == "import") CHECK(step.collectives < 30);
}
