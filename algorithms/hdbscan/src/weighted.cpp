#include "weighted.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "level_walk.hpp"
#include "zwalk/hdbscan/weights.hpp"

#include "zwalk/core/text.hpp"

namespace zwalk { inline namespace v0 {
namespace {

/// A part of an event, with what it is sorted by.
struct Part {
    double weight;
    std::size_t id;
    bool operator<(Part const& o) const { return weight != o.weight ? weight > o.weight : id < o.id; }
};

/// Rows [begin, end), each of which merges something with what the row before has made: again, the heaviest part first.
void chain(Linkage& linkage, std::vector<Part>& parts, std::size_t begin, std::size_t end) {
    std::sort(parts.begin(), parts.end());
    std::size_t made = parts[0].id;
    double size = 0;
    auto const points_of = [&](std::size_t id) {
        return id < linkage.points ? 1 : linkage.merges[id - linkage.points].size;
    };
    size = points_of(made);
    for (std::size_t row = begin; row < end; ++row) {
        std::size_t const with = parts[row - begin + 1].id;
        size += points_of(with);
        Merge& m = linkage.merges[row];
        m.left = double(std::min(made, with));
        m.right = double(std::max(made, with));
        m.size = size;
        made = linkage.points + row;
    }
}

/// Brings merges of equal distance into the order of the weights.
void order_events(Linkage& linkage) {
    detail::PartWeights const weights(linkage);  // what an event makes is as heavy in any order
    auto const& merges = linkage.merges;
    std::vector<Part> parts;
    for (std::size_t begin = 0, end; begin < merges.size(); begin = end) {
        double const distance = merges[begin].distance;
        parts.clear();
        auto const add = [&](double id) {
            parts.push_back({weights.at(std::size_t(id), distance), std::size_t(id)});
        };
        add(merges[begin].left);
        add(merges[begin].right);
        for (end = begin + 1; end < merges.size() && merges[end].distance == distance; ++end) {
            double const before = double(linkage.points + end - 1);
            if (merges[end].left != before && merges[end].right != before) break;
            add(merges[end].left == before ? merges[end].right : merges[end].left);
        }
        if (end - begin > 1) chain(linkage, parts, begin, end);
    }
}

}  // namespace

Linkage with_weights(Linkage linkage, std::span<double const> weights, std::span<double const> cores) {
    std::size_t const n = linkage.points;
    detail::check_weights(n, weights);
    if (cores.size() != n)
        throw InputError(detail::text("there are {} core distances of {} points", cores.size(), n));
    for (std::size_t i = 0; i < n; ++i)
        if (!(cores[i] >= 0))
            throw InputError(detail::text("core distance {} is {}: it must be >= 0", i, cores[i]));
    linkage.weights = Buffer<double>(n);
    linkage.cores = Buffer<double>(n);
    std::copy(weights.begin(), weights.end(), linkage.weights.begin());
    std::copy(cores.begin(), cores.end(), linkage.cores.begin());
    order_events(linkage);
    return linkage;
}

CondensedTree detail::condense_weighted(Linkage const& linkage, std::size_t min_cluster_size) {
    CondensedTree tree;
    tree.points = linkage.points;
    tree.min_cluster_size = min_cluster_size;
    if (!linkage.merges.empty()) LevelWalk<PartWeights>(linkage, tree).run();
    return tree;
}

}}  // namespace zwalk::v0
