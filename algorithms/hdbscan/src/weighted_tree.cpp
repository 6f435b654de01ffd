// The spanning tree of points with weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "checks.hpp"
#include "rows.hpp"
#include "zwalk/emst/given_cores.hpp"
#include "zwalk/hdbscan/weights.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/index_rows.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// The core distance of each query, if the neighbours that are shown have enough weight; else infinity.
template <class T>
struct TakeWeighted {
    double const* weights;
    double enough;
    bool all;  ///< all points are shown
    T* core;

    void operator()(index_t query, Neighbours<T> const& near) const {
        double sum = 0;
        for (int i = 0; i < near.size(); ++i) {
            sum += weights[near.index(i)];
            if (sum < enough && !(all && i + 1 == near.size())) continue;
            core[query] = near.distance(i);
            return;
        }
        core[query] = infinity<T>;
    }
};

/// Looks at more and more neighbours of those points that haven't had enough so far.
template <class T>
Buffer<T> weighted_cores(Index<T> const& index, std::span<double const> weights, int min_samples) {
    std::size_t const n = index.size();
    Buffer<T> core(n);
    std::size_t k = std::min(n, std::size_t(min_samples));
    TakeWeighted<T> const take{weights.data(), double(min_samples), k == n, core.data()};
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
        TakeWeighted<T> const more{weights.data(), double(min_samples), k == n, found.data()};
        (void)knn_visit(index, Points<T>(asked.data(), open.size(), index.dim()), more,
                        {.k = index_t(k)});
        for (std::size_t i = 0; i < open.size(); ++i) core[std::size_t(open[i])] = found[i];
        std::erase_if(open, is_done);
    }
    return core;
}

}  // namespace

template <class T>
EmstResult<T> emst_with_weights(Index<T> const& index, std::span<double const> weights,
                                int min_samples) {
    detail::check_weights(index.size(), weights);
    if (min_samples < 1)
        throw InputError(fmt::format("min_samples must be at least 1, but is {}", min_samples));
    if (index.size() < 2) return {};
    return emst_with_cores<T>(index, weighted_cores(index, weights, min_samples));
}

template EmstResult<float> emst_with_weights(Index<float> const&, std::span<double const>, int);
template EmstResult<double> emst_with_weights(Index<double> const&, std::span<double const>, int);

}}  // namespace zwalk::v0
