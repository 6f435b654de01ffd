// The spanning tree of points with weights.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algorithm.hpp"
#include "checks.hpp"
#include "compiled_dims.hpp"
#include "model_columns.hpp"
#include "rows.hpp"
#include "take_weighted.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/emst/given_cores.hpp"
#include "zwalk/hdbscan/weights.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/index_rows.hpp"
#include "zwalk/run/where.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// Looks at more and more neighbours of those points that haven't had enough so far.
template <class T>
Buffer<T> weighted_cores(Index<T> const& index, std::span<double const> weights, int min_samples) {
    std::size_t const n = index.size();
    Buffer<T> core(n);
    std::size_t k = std::min(n, std::size_t(min_samples));
    detail::TakeWeighted<T> const take{weights.data(), double(min_samples), k == n, core.data()};
    (void)knn_visit(index, take, {.k = index_t(k)});
    std::vector<index_t> open(n);
    std::iota(open.begin(), open.end(), index_t(0));
    auto const is_done = [&](index_t i) { return core[std::size_t(i)] < infinity<T>; };
    std::erase_if(open, is_done);
    if (open.empty()) return core;
    auto const rows = detail::rows_of_index(index);
    Points<T> const points(rows.data(), n, index.dim());
    while (!open.empty()) {
        k = std::min(n, 2 * k);
        auto const asked = detail::rows_at(points, std::span<index_t const>(open));
        Buffer<T> found(open.size());
        detail::TakeWeighted<T> const more{weights.data(), double(min_samples), k == n, found.data()};
        (void)knn_visit(index, Points<T>(asked.data(), open.size(), index.dim()), more,
                        {.k = index_t(k)});
        for (std::size_t i = 0; i < open.size(); ++i) core[std::size_t(open[i])] = found[i];
        std::erase_if(open, is_done);
    }
    return core;
}

/// On a GPU: as of queries that look for a point to join, none of which has a core distance.
template <class T>
Buffer<T> weighted_cores(CudaIndex<T> const& index, std::span<double const> weights, int min_samples) {
    std::size_t const n = index.size();
    Buffer<T> none(n);
    std::fill(none.begin(), none.end(), T(0));
    Buffer<double> copy(n);
    std::copy(weights.begin(), weights.end(), copy.begin());
    auto const there = detail::columns_on<T>(index.place(), Buffer<T>(), none, copy);
    detail::JoinedPoints<T> const points{.core = there.core.data(),
                                         .core_square = nullptr,
                                         .weights = there.weights.data(),
                                         .enough = double(min_samples),
                                         .in_tree = true,
                                         .core_here = none.data()};
    detail::JoinAsked asked;
    asked.k = index_t(std::min(n, std::size_t(min_samples)));
    asked.points = &points;
    asked.may_walk = false;
    auto const rows = detail::rows_of_index(index);
    Points<T> const queries(rows.data(), n, index.dim());
    return detail::Called<detail::JoinCall, CudaIndex<T>, detail::Kept>::run(index, &queries, asked, {})
        .distances;
}

}  // namespace

template <class T, class P>
EmstResult<T> emst_with_weights(Index<T, P> const& index, std::span<double const> weights,
                                int min_samples) {
    detail::check_weights(index.size(), weights);
    if (min_samples < 1)
        throw InputError(detail::text("min_samples must be at least 1, but is {}", min_samples));
    if constexpr (detail::DimsOf<P>::most > 0)
        if (index.size() > 1)
            return emst_with_cores<T>(index, weighted_cores(index, weights, min_samples));
    return {};
}

template EmstResult<float> emst_with_weights(Index<float> const&, std::span<double const>, int);
template EmstResult<double> emst_with_weights(Index<double> const&, std::span<double const>, int);
template EmstResult<float> emst_with_weights(CudaIndex<float> const&, std::span<double const>, int);
template EmstResult<double> emst_with_weights(CudaIndex<double> const&, std::span<double const>, int);

}}  // namespace zwalk::v0
