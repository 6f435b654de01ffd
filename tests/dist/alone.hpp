// What ranks find, on any place, beside what one process with all points finds on threads. Collective, with no way out before the
// last collective call.
#pragma once
#include <cstring>
#include <functional>

#include "dist/input.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/knn/knn_mpi.hpp"

namespace zwalk::test {

/// @param run  run(own points, options) -> FofOnRanks: called with Order::input, then with Order::z
template <int D, class T, class Run>
bool same_groups(Comm& comm, Input<D, T> const& input, FofOptions o, Run const& run) {
    auto const expected = fof(input.all(), o, Cpu(1));
    auto const own = input.of(comm.rank());
    std::size_t const first = input.begin[std::size_t(comm.rank())];
    auto const found = run(own, o);
    bool same = found.groups == expected.groups && found.labels.size() == own.size;
    for (std::size_t i = 0; i < own.size && same; ++i)
        same = found.labels[i] == expected.labels[first + i];

    o.order = Order::z;
    auto const in_z = run(own, o);
    auto const all = comm.reduce_all(in_z.labels.size(), std::plus<>());
    same = same && all == input.rows.size() && in_z.row_order.size() == in_z.labels.size();
    for (std::size_t i = 0; i < in_z.labels.size() && same; ++i)
        same = in_z.labels[i] == expected.labels[std::size_t(in_z.row_order[i])];
    return same;
}

template <class T>
bool same_bits(T const* a, T const* b, std::size_t n) {
    return n == 0 || std::memcmp(a, b, n * sizeof(T)) == 0;
}

/// Neighbours of the points themselves where there are no queries.
/// @param tree_in_z  for the call with Order::z
/// @param run  run(own sources, own queries or null, options) -> KnnOnRanks: called with Order::input, then with Order::z
template <int D, class T, class Run>
bool same_neighbours(Comm& comm, Input<D, T> const& sources, Input<D, T> const* queries, KnnOptions o,
                     TreeOptions const& tree_in_z, Run const& run) {
    auto const& asking = queries ? *queries : sources;
    auto const own = sources.of(comm.rank()), own_asking = asking.of(comm.rank());
    auto const* const own_queries = queries ? &own_asking : nullptr;
    auto const k = std::size_t(o.k);
    auto const alone = [&] {
        return queries ? knn(sources.all(), queries->all(), o, Cpu(1)) : knn(sources.all(), o, Cpu(1));
    };
    auto const same_rows = [&](auto const& found, auto const& expected, std::size_t first) {
        std::size_t const n = found.rows * k;
        return same_bits(found.indices.data(), expected.indices.data() + first * k, n) &&
               same_bits(found.distances.data(), expected.distances.data() + first * k, n);
    };
    auto const expected = alone();
    auto const found = run(own, own_queries, o);
    bool same = found.rows == own_asking.size && found.columns == k &&
                same_rows(found, expected, asking.begin[std::size_t(comm.rank())]);

    o.order = Order::z;
    o.tree = tree_in_z;
    auto const expected_in_z = alone();
    auto const in_z = run(own, own_queries, o);
    auto const positions = comm.offsets(in_z.rows), of_sources = comm.offsets(in_z.source_order.size());
    auto const at = positions[std::size_t(comm.rank())], source = of_sources[std::size_t(comm.rank())];
    same = same && positions.back() == asking.rows.size() && in_z.row_order.size() == in_z.rows &&
           of_sources.back() == (queries ? sources.rows.size() : 0) &&
           same_rows(in_z, expected_in_z, at);
    for (std::size_t i = 0; i < in_z.rows && same; ++i)
        same = in_z.row_order[i] == index_t(expected_in_z.row_order[at + i]);
    for (std::size_t i = 0; i < in_z.source_order.size() && same; ++i)
        same = in_z.source_order[i] == index_t(expected_in_z.source_order[source + i]);
    return same;
}

}  // namespace zwalk::test
