// Compares a kNN result with brute force, bit by bit, order included.
#pragma once
#include <atomic>

#include "support/brute_knn.hpp"
#include "support/count_of.hpp"
#include "zwalk/knn/knn.hpp"

namespace test {

/// True if every (sampled) row of r, in input order, is that of brute force.
template <class T>
bool equals_brute_force(KnnResult<T> const& r, Points<T> sources, Points<T> queries,
                        KnnOptions const& options, std::size_t sample = 0) {
    InRange<T> const all(sources, queries, options.box);
    auto const k = std::size_t(options.k);
    auto const z = z_order(all.first());
    if (r.rows != queries.size || r.columns != k) return false;
    Random random(r.rows + k);
    std::size_t const rows = sample && sample < r.rows ? sample : r.rows;
    for (std::size_t n = 0; n < rows; ++n) {
        std::size_t const i = rows == r.rows ? n : random.below(r.rows);
        auto const keys = brute_knn(all.first(), z, all.second().data + i * std::size_t(queries.dim), k,
                                    all.box(), options.exclude_self ? i : std::size_t(-1));
        for (std::size_t j = 0; j < k; ++j) {
            bool const found = j < keys.size() && all.distance(keys[j].d2) <= T(options.within);
            T const distance = found ? all.distance(keys[j].d2) : infinity<T>;
            index_t const index = found ? index_t(z[keys[j].pos]) : -1;
            if (r.distances[i * k + j] == distance && r.indices[i * k + j] == index) continue;
            MESSAGE("row " << i << ", neighbour " << j << ": " << r.indices[i * k + j] << " at "
                           << r.distances[i * k + j] << ", but brute force says " << index << " at "
                           << distance);
            return false;
        }
    }
    return true;
}

template <class T>
bool same_bits(KnnResult<T> const& a, KnnResult<T> const& b) {
    return std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end()) &&
           std::equal(a.distances.begin(), a.distances.end(), b.distances.begin(), b.distances.end());
}

/// Rows of (index, d2 rounded to a distance) as a visitor sees them, with how often it was called.
template <class T>
struct Seen {
    KnnResult<T>* result;
    std::atomic<int>* calls;

    void operator()(index_t row, Neighbours<T> const& n) const {
        std::size_t const k = result->columns, at = std::size_t(row) * k;
        for (std::size_t j = 0; j < k; ++j) {
            bool const found = int(j) < n.size();
            result->indices[at + j] = found ? n.index(int(j)) : -1;
            result->distances[at + j] = found ? n.distance(int(j)) : infinity<T>;
        }
        ++calls[row];
    }
};

/// True if visit(visitor) shows every row of `expected` once.
template <class T, class Visit>
bool visits(KnnResult<T> const& expected, Visit const& visit) {
    KnnResult<T> seen;
    seen.columns = expected.columns;
    seen.indices = Buffer<index_t>(expected.indices.size());
    seen.distances = Buffer<T>(expected.distances.size());
    std::vector<std::atomic<int>> calls(expected.rows + 1);
    visit(Seen<T>{&seen, calls.data()});
    for (std::size_t i = 0; i < expected.rows; ++i)
        if (calls[i] != 1) return false;
    return same_bits(seen, expected);
}

template <int D, class T>
bool self_query_right(Rows<D, T> const& rows, KnnOptions const& options, std::size_t sample = 0) {
    return equals_brute_force(knn(view<D>(rows), options), view<D>(rows), view<D>(rows), options,
                              sample);
}

/// Points in [0, L] that lie exactly on both faces now and then.
template <int D, class T>
Rows<D, T> in_box(std::string const& kind, std::size_t n, double length, std::uint64_t seed) {
    auto rows = make_points<D, T>(kind, n, seed);
    Random r(seed);
    for (auto& p : rows)
        for (T& x : p) {
            x = T(length) * (x - std::floor(x));
            if (r.below(20) == 0) x = r.below(2) ? T(0) : T(length);
            x = std::clamp(x, T(0), T(length));
        }
    return rows;
}

}  // namespace test
