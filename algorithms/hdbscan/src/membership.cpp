#include "zwalk/hdbscan/membership.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "rows.hpp"
#include "strength.hpp"
#include "zwalk/core/key.hpp"
#include "zwalk/core/numbered_pieces.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {
namespace {

/// a / b, which is 1 where both are infinite, or 0.
double ratio(double a, double b) { return a == b ? 1 : a / b; }

std::vector<std::vector<index_t>> exemplars_in(ModelTree const& tree, Cpu const& cpu) {
    std::vector<char> splits(tree.clusters.size(), 0);
    for (auto const& c : tree.clusters)
        if (c.parent >= 0) splits[std::size_t(c.parent)] = 1;
    // In pieces: few points are exemplars.
    NumberedPieces const pieces(tree.cluster.size(), 1 << 14);
    std::vector<std::vector<std::size_t>> found(pieces.size());
    cpu.run([&] {
        pieces.each([&](std::size_t piece, std::size_t i, std::size_t end) {
            for (; i < end; ++i) {
                auto const& c = tree.clusters[tree.cluster[i]];
                if (c.label >= 0 && !splits[tree.cluster[i]] && tree.leaves[i] == c.death)
                    found[piece].push_back(i);
            }
        });
    });
    std::vector<std::vector<index_t>> rows(tree.taken.size());
    for (auto const& piece : found)
        for (std::size_t const i : piece)
            rows[std::size_t(tree.clusters[tree.cluster[i]].label)].push_back(index_t(i));
    return rows;
}

/// Where a point is in a model's tree: the cluster that it is in at last, and the lambda at which it leaves that.
struct Place {
    index_t cluster;
    double lambda;
};

/// Membership of points in each cluster, from the distances to exemplars and the tree.
template <class T>
class Memberships {
  public:
    /// @param rows  of the model's points
    template <class P>
    Memberships(HdbscanModel<T, P> const& model, Cpu const& cpu, Points<T> rows, Points<T> queries)
        : tree_(model.tree()), cpu_(cpu), clusters_(model.clusters()), value_(queries.size * clusters_) {
        auto const of = exemplars(model);
        for (std::size_t c = 0; c < clusters_; ++c) {
            auto const some = rows_at(rows, std::span<index_t const>(of[c]));
            Index<T> const index(Points<T>(some.data(), of[c].size(), rows.dim),
                                 {.box = model.index().box()}, cpu_.apart());
            auto const nearest = knn(index, queries, {.k = 1});
            cpu_.for_each(queries.size, [&](std::size_t i) {
                double const d = double(nearest.distances[i]);
                value_[i * clusters_ + c] =
                    d > 0 ? 1 / d : std::numeric_limits<double>::max() / double(clusters_);
            });
        }
    }

    /// @param place_of  place_of(query)
    /// @param is_own    the queries are the model's points
    template <class PlaceOf>
    Buffer<double> times_tree(PlaceOf const& place_of, bool is_own) {
        std::size_t const n = clusters_ ? value_.size() / clusters_ : 0;
        cpu_.for_each(n, [&](std::size_t i) {
            std::vector<double> outlier(clusters_);
            Place const place = place_of(i);
            double const inside = heights(place, outlier.data(), is_own);
            is_own ? own_scores(place, outlier) : new_scores(place, outlier);
            softmax(outlier);
            double* const own = value_.data() + i * clusters_;
            in_proportion(own);
            for (std::size_t c = 0; c < clusters_; ++c)
                own[c] = is_own ? own[c] * outlier[c] : std::sqrt(own[c]) * outlier[c] * outlier[c];
            in_proportion(own);
            for (std::size_t c = 0; c < clusters_; ++c) own[c] *= inside;
        });
        return std::move(value_);
    }

  private:
    [[nodiscard]] double death(index_t c) const { return tree_.clusters[std::size_t(c)].death; }

    /// The lambda at which something at this place meets each of the clusters. Returns the probability of being in one.
    double heights(Place const& place, double* height, bool is_own) const {
        std::size_t first = 0;
        for (std::size_t c = 0; c < clusters_; ++c) {
            index_t const both = tree_.common(place.cluster, tree_.taken[c]);
            bool const apart = both != place.cluster && both != tree_.taken[c];
            height[c] = apart ? death(both) : place.lambda;
            if (height[c] > height[first]) first = c;
        }
        double const most = std::max(place.lambda, death(tree_.taken[first]));
        return ratio(height[first], is_own ? most : most + tiny);
    }
    void own_scores(Place const& place, std::vector<double>& height) const {
        for (double& h : height) h = std::exp(-ratio(death(place.cluster) + tiny, h));
    }
    void new_scores(Place const& place, std::vector<double>& height) const {
        double const d = death(place.cluster), huge = std::numeric_limits<double>::max();
        for (double& h : height)
            h = std::isinf(h) ? huge : h < d ? std::isinf(d) ? 1 : d / (d - h) : d / tiny;
    }
    static void softmax(std::vector<double>& scores) {
        double const most = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (double& s : scores) sum += s = std::exp(s - most);
        for (double& s : scores) s /= sum;
    }
    void in_proportion(double* values) const {
        double sum = 0;
        for (std::size_t c = 0; c < clusters_; ++c) sum += values[c];
        for (std::size_t c = 0; c < clusters_; ++c) values[c] /= sum;
    }

    static constexpr double tiny = 1e-8;  ///< by which the package keeps divisors from 0

    ModelTree const& tree_;
    Cpu cpu_;
    std::size_t clusters_;
    Buffer<double> value_;
};

/// Threads of the host beside an index.
template <class T, class P>
Cpu threads_apart(Index<T, P> const& index) {
    if constexpr (is_device<P>) return Cpu();
    else return index.place().apart();
}

}  // namespace

template <class T, class P>
Buffer<double> membership_of_rows(HdbscanModel<T, P> const& model, Points<T> queries) {
    auto const joined = predict(model, queries);
    ModelTree const& tree = model.tree();
    auto const rows = model.rows();
    Memberships<T> all(model, threads_apart(model.index()), {rows.data(), model.size(), model.dim()},
                       queries);
    return all.times_tree(
        [&](std::size_t i) {
            auto const neighbour = std::size_t(joined.neighbours[i]);
            double const distance = double(joined.distances[i]), lambda = detail::lambda_at(distance);
            return Place{index_t(tree.cluster[neighbour]), std::min(lambda, tree.leaves[neighbour])};
        },
        false);
}

}  // namespace detail

std::vector<std::vector<index_t>> exemplars(CondensedTree const& tree, Clusters const& found,
                                            Cpu const& cpu) {
    return detail::exemplars_in(detail::model_tree(tree, found, {}, cpu), cpu);
}

template <class T, class P>
std::vector<std::vector<index_t>> exemplars(HdbscanModel<T, P> const& model) {
    return detail::exemplars_in(model.tree(), detail::threads_apart(model.index()));
}

template <class T, class P>
Buffer<double> all_points_membership_vectors(HdbscanModel<T, P> const& model) {
    detail::ModelTree const& tree = model.tree();
    auto const rows = model.rows();
    Points<T> const points(rows.data(), model.size(), model.dim());
    detail::Memberships<T> all(model, detail::threads_apart(model.index()), points, points);
    return all.times_tree(
        [&](std::size_t i) {
            return detail::Place{index_t(tree.cluster[i]), tree.leaves[i]};
        },
        true);
}

#define ZWALK_MEMBERSHIP(T, P)                                                        \
    namespace detail {                                                                \
    template Buffer<double> membership_of_rows(HdbscanModel<T, P> const&, Points<T>); \
    }                                                                                 \
    template std::vector<std::vector<index_t>> exemplars(HdbscanModel<T, P> const&);  \
    template Buffer<double> all_points_membership_vectors(HdbscanModel<T, P> const&);
ZWALK_MEMBERSHIP(float, Cpu)
ZWALK_MEMBERSHIP(double, Cpu)
ZWALK_MEMBERSHIP(float, CudaDevice)
ZWALK_MEMBERSHIP(double, CudaDevice)

}}  // namespace zwalk::v0
