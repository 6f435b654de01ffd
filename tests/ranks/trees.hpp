// Spanning trees of ranks, and their clusters, wherever the ranks walk: beside what one process with all points finds on threads,
// bit for bit. Collective, with no way out before the last collective call.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>

#include "ranks/input.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::test {

template <class V>
bool same_bits(std::span<V const> found, std::span<V const> expected) {
    return found.size() == expected.size() &&
           (found.empty() || std::memcmp(found.data(), expected.data(), found.size_bytes()) == 0);
}
/// What was found is so many elements of what was expected, from `first` on.
template <class V>
bool same_rows(Buffer<V> const& found, Buffer<V> const& expected, std::size_t first, std::size_t rows) {
    return expected.size() >= first + rows &&
           same_bits(std::span<V const>(found), std::span<V const>(expected).subspan(first, rows));
}

/// @param run  run(own points) -> an EmstResult, for options o
template <int D, class T, class Run>
bool same_tree(Comm& comm, Input<D, T> const& input, EmstOptions const& o, Run const& run) {
    auto const expected = emst(input.all(), o, Cpu(1));
    auto const own = input.of(comm.rank());
    bool const cores = o.min_samples > 1 && input.all().size > 1;
    std::size_t const first = cores ? input.begin[std::size_t(comm.rank())] : 0;
    auto const found = run(own);
    std::size_t const n = found.lengths.size();
    bool const same = same_rows(found.edges, expected.edges, 2 * found.first_edge, 2 * n) &&
                      same_rows(found.lengths, expected.lengths, found.first_edge, n) &&
                      same_rows(found.core_distances, expected.core_distances, first,
                                cores ? std::size_t(own.size) : 0);
    auto const edges = comm.offsets(n);
    bool const complete =
        edges.back() == expected.lengths.size() && edges[std::size_t(comm.rank())] == found.first_edge;
    return comm.reduce_all(same && complete, std::logical_and<>());
}

template <class V>
bool same(V const& found, V const& expected) {
    return same_bits(std::span(found.data(), found.size()), std::span(expected.data(), expected.size()));
}
inline bool same(CondensedTree const& found, CondensedTree const& expected) {
    return found.points == expected.points && found.min_cluster_size == expected.min_cluster_size &&
           same(found.parent, expected.parent) && same(found.child, expected.child) &&
           same(found.lambda, expected.lambda) && same(found.child_size, expected.child_size) &&
           found.clusters.size() == expected.clusters.size();
}
template <class T>
bool same_on_first(HdbscanResult<T> const& found, HdbscanResult<T> const& expected) {
    return same(found.persistence, expected.persistence) && same(found.ids, expected.ids) &&
           found.linkage.points == expected.linkage.points &&
           same(found.linkage.table(), expected.linkage.table()) &&
           same(found.condensed_tree, expected.condensed_tree);
}
/// Other ranks than the first have nothing but their rows.
template <class T>
bool has_rows_only(HdbscanResult<T> const& found) {
    return found.persistence.empty() && found.ids.empty() && found.linkage.merges.empty() &&
           found.condensed_tree.rows() == 0;
}

/// @param run  run(own points) -> a HdbscanResult, for options o
template <int D, class T, class Run>
bool same_hierarchy(Comm& comm, Input<D, T> const& input, HdbscanOptions const& o, Run const& run) {
    auto const expected = hdbscan(input.all(), o, Cpu(1));
    auto const own = input.of(comm.rank());
    std::size_t const first = input.begin[std::size_t(comm.rank())], rows = own.size;
    auto const found = run(own);
    bool const cores = expected.core_distances.empty()
                           ? found.core_distances.empty()
                           : same_rows(found.core_distances, expected.core_distances, first, rows);
    bool const same = cores && same_rows(found.labels, expected.labels, first, rows) &&
                      same_rows(found.probabilities, expected.probabilities, first, rows) &&
                      same_rows(found.outlier_scores, expected.outlier_scores, first, rows) &&
                      found.clusters == expected.size() &&
                      (comm.rank() == 0 ? same_on_first(found, expected) : has_rows_only(found));
    return comm.reduce_all(same, std::logical_and<>());
}

/// Points in some clusters, and noise between them.
inline ::test::Rows<3, float> blobs(std::size_t n) {
    auto rows = ::test::make_points<3, float>("normal", n, 3);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            float const spread = i % 11 == 0 ? 2.f : .05f;
            rows[i][j] = rows[i][j] * spread + float((i % 7) * (j + 1) % 5);
        }
    return rows;
}

// What trees are asked wherever ranks walk: same(input, options) is whether that is the one of one process.

template <int D, class T, class Same>
void check_tree_kinds(Comm& comm, std::vector<std::size_t> const& sizes, std::vector<int> const& samples,
                      Same const& same) {
    for (int const m : samples) {
        CAPTURE(m);
        for_inputs<D, T>(comm, sizes, D + sizeof(T) + std::size_t(m),
                         [&](auto const& input, std::size_t) {
                             EmstOptions const o{.min_samples = m};
                             CHECK(same(input, o));
                         });
    }
}

template <class Same>
void check_tiny_trees(Comm& comm, Same const& same) {
    for (std::size_t n : {0, 1, 2, 3, 8, 9, 17})
        for (int m : {1, 2, int(n), int(n) + 5}) {
            if (m < 1) continue;
            CAPTURE(n);
            CAPTURE(m);
            for (auto const& how : spreads()) {
                Input<3, float> const input{::test::make_points<3, float>("uniform", n, 2),
                                            spread(how, n, comm.size())};
                EmstOptions const o{.min_samples = m};
                CHECK(same(input, o));
            }
        }
}

/// @param n  points of each input
template <class Same>
void check_periodic_trees(Comm& comm, std::size_t n, Same const& same) {
    for (std::vector<double> const& box : {std::vector<double>{1}, {1, 0, 2}})
        for (auto const* kind : {"uniform", "clustered", "grid"})
            for (int m : {1, 5}) {
                CAPTURE(kind);
                CAPTURE(m);
                auto rows = ::test::make_points<3, float>(kind, n, 5);
                for (auto& row : rows)
                    for (auto& x : row) x = std::clamp(x, 0.f, .999f);
                Input<3, float> const input{rows, spread("even", rows.size(), comm.size())};
                EmstOptions const o{.min_samples = m, .box = box};
                CHECK(same(input, o));
            }
}

/// Clusters far from each other, which many rounds join.
/// @param many  for core distances that reach beyond clusters
template <int D, class Same>
void check_far_clusters(Comm& comm, std::size_t n, int many, Same const& same) {
    auto rows = ::test::make_points<D, double>("normal", n, 3);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < std::size_t(D); ++j)
            rows[i][j] = rows[i][j] * 1e-3 + double((i % 7) * (j + 1) % 5);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<D, double> const input{rows, spread(how, rows.size(), comm.size())};
        for (int const m : {1, many}) {
            EmstOptions const o{.min_samples = m};
            CHECK(same(input, o));
        }
    }
}

}  // namespace zwalk::test
