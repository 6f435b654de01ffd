// Sizes of the parts of a hierarchy whose points may have weights.
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>

#include "zwalk/hdbscan/condensed_tree.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// How heavy what each row of a hierarchy makes is, and its points.
class PartWeights {
  public:
    static constexpr bool has_weights = true;
    explicit PartWeights(Linkage const& linkage) : linkage_(linkage) {
        if (!is_weighted()) return;
        sums_ = Buffer<double>(linkage.merges.size());
        constexpr std::size_t ahead = 24;
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            if (i + ahead < sums_.size()) prefetch_whole(linkage.merges[i + ahead]);
            Merge const& m = linkage.merges[i];
            sums_[i] = whole(std::size_t(m.left)) + whole(std::size_t(m.right));
        }
    }

    [[nodiscard]] bool is_weighted() const { return !linkage_.weights.empty(); }
    /// The sum of the weights of a part.
    [[nodiscard]] double whole(std::size_t id) const {
        std::size_t const n = linkage_.points;
        if (id >= n) return is_weighted() ? sums_[id - n] : linkage_.merges[id - n].size;
        return is_weighted() ? linkage_.weights[id] : 1;
    }
    /// As how heavy a part takes part in a merge at this distance. The points that a point stands for come together at its core
    /// distance: there they are one by one.
    [[nodiscard]] double at(std::size_t id, double distance) const {
        double const w = whole(id);
        bool const together = id >= linkage_.points || !is_weighted() || linkage_.cores[id] < distance;
        return together ? w : std::min(w, 1.);
    }

    /// That of both parts of a merge.
    [[nodiscard]] std::pair<double, double> halves(Merge const& m) const {
        return {at(std::size_t(m.left), m.distance), at(std::size_t(m.right), m.distance)};
    }

    void prefetch(std::size_t id) const {
        std::size_t const n = linkage_.points;
        if (id >= n) __builtin_prefetch(&sums_[id - n]);
        else __builtin_prefetch(&linkage_.weights[id]), __builtin_prefetch(&linkage_.cores[id]);
    }

  private:
    void prefetch_whole(Merge const& m) const {
        std::size_t const n = linkage_.points;
        for (double const part : {m.left, m.right}) {
            auto const id = std::size_t(part);
            __builtin_prefetch(id >= n ? &sums_[id - n] : &linkage_.weights[id]);
        }
    }

    Linkage const& linkage_;
    Buffer<double> sums_;
};

}}}  // namespace zwalk::v0::detail
