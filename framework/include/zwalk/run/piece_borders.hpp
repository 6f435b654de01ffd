// What of a piece may have to do with points of others.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "zwalk/core/key.hpp"
#include "zwalk/run/pieces.hpp"
#include "zwalk/zorder/key.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Which balls may hold points of other pieces than that of their centre.
template <class T>
class Borders {
  public:
    /// @param period  of checked_period()
    Borders(ZRanges<T> const& ranges, PointSurvey<T> const& survey, std::vector<T> const& period)
        : ranges_(ranges), survey_(survey), period_(period) {}

    /// Whether points of another piece may be within a distance, as it is reported, of a centre that lies from `from` to `to` on each axis.
    /// Exact but for a few roundings. O(dim).
    [[nodiscard]] bool reaches(std::size_t piece, T const* from, T const* to, T distance) const {
        // Points within it differ by no more than this along an axis, however d2 was rounded, or has vanished.
        constexpr T e = std::numeric_limits<T>::epsilon();
        T const open_reach =
            distance * (1 + 8 * e) + 4 * std::sqrt(std::numeric_limits<T>::denorm_min());
        T lo[max_dim], hi[max_dim];
        for (std::size_t j = 0; j < survey_.extent.lo.size(); ++j) {
            T const least = survey_.extent.lo[j], largest = survey_.extent.hi[j];
            T const reach = is_periodic(j) ? open_reach + 4 * e * period_[j] : open_reach;
            lo[j] = down(from[j] - reach), hi[j] = up(to[j] + reach);
            if (is_periodic(j) &&
                (lo[j] <= up(largest - period_[j]) || hi[j] >= down(least + period_[j])))
                return true;
            lo[j] = std::max(lo[j], least), hi[j] = std::min(hi[j], largest);
        }
        return !ranges_.holds(piece, lo, hi);
    }

  private:
    static T down(T x) { return std::nextafter(x, -infinity<T>); }
    static T up(T x) { return std::nextafter(x, infinity<T>); }
    [[nodiscard]] bool is_periodic(std::size_t j) const {
        return !period_.empty() && period_[j] != infinity<T>;
    }
    ZRanges<T> const& ranges_;
    PointSurvey<T> const& survey_;
    std::vector<T> const& period_;
};

}}}  // namespace zwalk::v0::detail
