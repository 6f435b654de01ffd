#include "zwalk/hdbscan/persistent_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "checks.hpp"
#include "weighted.hpp"

namespace zwalk { inline namespace v0 {
namespace {

std::vector<LeafCluster> leaf_clusters(Linkage const& linkage, double least) {
    std::size_t const n = linkage.points;
    auto const& merges = linkage.merges;
    detail::PartWeights const weights(linkage);
    Buffer<double> splits(merges.size());  // the largest size at which what a row makes comes apart
    auto const splits_at = [&](std::size_t id) { return id < n ? 0 : splits[id - n]; };
    std::vector<LeafCluster> leaves;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        auto const left = std::size_t(merges[i].left), right = std::size_t(merges[i].right);
        double const d = merges[i].distance, both = std::min(weights.at(left, d), weights.at(right, d));
        splits[i] = std::max({both, splits_at(left), splits_at(right)});
        if (both < least) continue;
        for (std::size_t const id : {left, right})
            if (double const above = splits_at(id); above < both)
                leaves.push_back({index_t(id), above, both, both - std::max(above, least)});
    }
    std::sort(leaves.begin(), leaves.end(),
              [](LeafCluster const& a, LeafCluster const& b) { return a.node < b.node; });
    return leaves;
}

/// Rounds persistences, of points with weights, to multiples of a number so large that all their sums are exact.
void make_exact(std::vector<LeafCluster>& leaves) {
    double most = 1;
    for (LeafCluster const& c : leaves) most += c.persistence;
    double const unit = std::ldexp(1., std::ilogb(most) - 51);
    for (LeafCluster& c : leaves) c.persistence = std::round(c.persistence / unit) * unit;
}

/// Where the sum of persistences changes: at a size, by so much.
struct Change {
    double size, by;
    bool operator<(Change const& o) const { return size < o.size; }
};

std::vector<Change> changes_of(PersistentSizes const& found) {
    std::vector<Change> changes{{double(found.least), 0}};
    for (LeafCluster const& c : found.leaves) {
        changes.push_back({std::max(std::floor(c.above) + 1, double(found.least)), c.persistence});
        changes.push_back({std::floor(c.last) + 1, -c.persistence});
    }
    std::sort(changes.begin(), changes.end());
    return changes;
}

}  // namespace

PersistentSizes persistent_sizes(Linkage const& linkage, std::size_t least) {
    detail::check_min_cluster_size(least);
    PersistentSizes out{least, {}, {}, leaf_clusters(linkage, double(least))};
    make_exact(out.leaves);
    double sum = 0;
    for (Change const& c : changes_of(out)) {
        if (out.sizes.empty() || double(out.sizes.back()) < c.size) {
            out.sizes.push_back(index_t(c.size));
            out.persistence.push_back(sum);
        }
        out.persistence.back() = sum += c.by;
    }
    return out;
}

std::size_t PersistentSizes::best() const {
    auto const most = std::max_element(persistence.begin(), persistence.end());
    return std::size_t(sizes[std::size_t(most - persistence.begin())]);
}

std::vector<std::size_t> PersistentSizes::peaks() const {
    std::vector<std::size_t> out;
    bool rises =
        true;  // to the size that is looked at, from the one before that has another persistence
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        if (rises && persistence[i + 1] < persistence[i]) {
            std::size_t first = i;
            while (first > 0 && persistence[first - 1] == persistence[i]) --first;
            out.push_back(std::size_t(sizes[first]));
        }
        if (persistence[i + 1] != persistence[i]) rises = persistence[i + 1] > persistence[i];
    }
    return out;
}

}}  // namespace zwalk::v0
