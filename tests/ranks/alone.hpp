// What ranks find, on any place, beside what one process with all points finds on threads. Collective, with no way out before the
// last collective call.
#pragma once
#include <cstring>
#include <functional>

#include "ranks/input.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/fof/fof_mpi.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/pairs/pairs.hpp"
#include "zwalk/peaks/peaks.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::test {

/// @param run  run(own points, options) -> a FofResult: called with Order::input, then with Order::z
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
    same = same && all == input.rows.size() && in_z.z_order.size() == in_z.labels.size();
    for (std::size_t i = 0; i < in_z.labels.size() && same; ++i)
        same = in_z.labels[i] == expected.labels[std::size_t(in_z.z_order[i])];
    return same;
}

/// @param run  run(own points, options) -> a DbscanResult: called with Order::input, then with Order::z
template <int D, class T, class Run>
bool same_clusters(Comm& comm, Input<D, T> const& input, DbscanOptions o, Run const& run) {
    auto const expected = dbscan(input.all(), o, Cpu(1));
    auto const own = input.of(comm.rank());
    std::size_t const first = input.begin[std::size_t(comm.rank())];
    auto const same_numbers = [&](DbscanResult<Mpi> const& r) {
        return r.clusters == expected.clusters && r.core_points == expected.core_points &&
               r.noise == expected.noise;
    };
    auto const found = run(own, o);
    bool same = same_numbers(found) && found.labels.size() == own.size && found.core.size() == own.size;
    for (std::size_t i = 0; i < own.size && same; ++i)
        same =
            found.labels[i] == expected.labels[first + i] && found.core[i] == expected.core[first + i];

    o.order = Order::z;
    auto const in_z = run(own, o);
    auto const all = comm.reduce_all(in_z.labels.size(), std::plus<>());
    same = same && same_numbers(in_z) && all == input.rows.size() &&
           in_z.z_order.size() == in_z.labels.size();
    for (std::size_t i = 0; i < in_z.labels.size() && same; ++i) {
        auto const row = std::size_t(in_z.z_order[i]);
        same = in_z.labels[i] == expected.labels[row] && in_z.core[i] == expected.core[row];
    }
    return same;
}

template <class T>
bool same_bits(T const* a, T const* b, std::size_t n) {
    return n == 0 || std::memcmp(a, b, n * sizeof(T)) == 0;
}

/// Neighbours of the points themselves where there are no queries.
/// @param tree_in_z  for the call with Order::z
/// @param run  run(own sources, own queries or null, options) -> a KnnResult: called with Order::input, then with Order::z
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

/// Numbers made of the neighbours of the points themselves where there are no queries, in both orders.
/// @param run  run(own sources, own queries or null, reduction, options) -> a KnnReduced
template <int D, class T, class Run>
bool same_reductions(Comm& comm, Input<D, T> const& sources, Input<D, T> const* queries, KnnOptions o,
                     Run const& run) {
    auto const& asking = queries ? *queries : sources;
    auto const own = sources.of(comm.rank()), own_asking = asking.of(comm.rank());
    bool same = true;
    for (auto const what : {Reduction::radius, Reduction::density, Reduction::sph})
        for (auto const order : {Order::input, Order::z}) {
            o.order = order;
            auto const expected = queries
                                      ? knn_reduce(sources.all(), queries->all(), what, o, Cpu(1)).values
                                      : knn_reduce(sources.all(), what, o, Cpu(1)).values;
            auto const found = run(own, queries ? &own_asking : nullptr, what, o);
            std::size_t const n = found.values.size();
            auto const before = comm.offsets(n);
            bool const in_z = order == Order::z;
            auto const at = (in_z ? before : asking.begin)[std::size_t(comm.rank())];
            same = same && before.back() == asking.rows.size() && (in_z || n == own_asking.size) &&
                   found.row_order.size() == (in_z ? n : 0) &&
                   same_bits(found.values.data(), expected.data() + at, n);
        }
    return same;
}

/// @param run  run(own points, options) -> a PeaksResult: called with Order::input, then with Order::z
template <int D, class T, class Run>
bool same_peaks(Comm& comm, Input<D, T> const& input, PeaksOptions o, Run const& run) {
    auto const expected = density_peaks(input.all(), o, Cpu(1));
    auto const own = input.of(comm.rank());
    std::size_t const first = input.begin[std::size_t(comm.rank())];
    auto const found = run(own, o);
    auto const n = own.size;
    bool same = found.radius.size() == n && found.delta.size() == n && found.nearest_denser.size() == n;
    same = same && same_bits(found.radius.data(), expected.radius.data() + first, n) &&
           same_bits(found.delta.data(), expected.delta.data() + first, n) &&
           same_bits(found.nearest_denser.data(), expected.nearest_denser.data() + first, n);

    o.order = Order::z;
    auto const in_z = run(own, o);
    auto const all = comm.reduce_all(in_z.radius.size(), std::plus<>());
    same = same && all == input.rows.size() && in_z.z_order.size() == in_z.radius.size();
    for (std::size_t i = 0; i < in_z.radius.size() && same; ++i) {
        auto const row = std::size_t(in_z.z_order[i]);
        same = in_z.radius[i] == expected.radius[row] && in_z.delta[i] == expected.delta[row] &&
               in_z.nearest_denser[i] == expected.nearest_denser[row];
    }
    return same;
}

/// A weight for each row, of either sign.
inline std::vector<double> some_weights(std::size_t n, int seed) {
    std::vector<double> weights(n);
    for (std::size_t i = 0; i < n; ++i)
        weights[i] = double(int((i * 7919 + std::size_t(seed)) % 101)) / 7 - 3;
    return weights;
}

/// Counts of pairs among themselves and with others, and with weights of none, the first or both.
/// @param run  run(own points, own second points or null, options) -> PairCounts
template <int D, class T, class Run>
bool same_pair_counts(Comm& comm, Input<D, T> const& input, Input<D, T> const& others,
                      PairOptions const& o, Run const& run) {
    auto const own = input.of(comm.rank()), own_others = others.of(comm.rank());
    auto const weights = some_weights(input.rows.size(), 1),
               other_weights = some_weights(others.rows.size(), 5);
    auto const of_rank = [&](std::vector<double> const& all, Input<D, T> const& rows) {
        auto const r = std::size_t(comm.rank());
        return std::span<double const>(all).subspan(rows.begin[r], rows.begin[r + 1] - rows.begin[r]);
    };
    bool same = true;
    for (int const weighted : {0, 1, 2})
        for (bool const cross : {false, true}) {
            if (weighted == 2 && !cross) continue;
            auto alone = o, on_ranks = o;
            if (weighted > 0) alone.weights = weights, on_ranks.weights = of_rank(weights, input);
            if (weighted > 1) {
                alone.second_weights = other_weights;
                on_ranks.second_weights = of_rank(other_weights, others);
            }
            auto const expected = cross ? pair_counts(input.all(), others.all(), alone, Cpu(1))
                                        : pair_counts(input.all(), alone, Cpu(1));
            auto const found = run(own, cross ? &own_others : nullptr, on_ranks);
            same = same && found.counts == expected.counts && found.weighted == expected.weighted;
        }
    return same;
}

}  // namespace zwalk::test
