// Points of a piece that may have friends in others.
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

/// Which points may have friends in other pieces.
template <class T>
class Borders {
  public:
    /// @param period  of checked_period()
    Borders(ZRanges<T> const& ranges, PointSurvey<T> const& survey, std::vector<T> const& period,
            double length)
        : ranges_(ranges), survey_(survey), period_(period) {
        // Points within b differ by no more than this along an axis, however d2 was rounded, or has vanished.
        constexpr T e = std::numeric_limits<T>::epsilon();
        T const reach = T(length) * (1 + 8 * e) + 4 * std::sqrt(std::numeric_limits<T>::denorm_min());
        for (std::size_t j = 0; j < survey.extent.lo.size(); ++j)
            reach_.push_back(is_periodic(j) ? reach + 4 * e * period[j] : reach);
    }

    /// Whether friends of a point that lies from `from` to `to` on each axis may be in another piece.
    [[nodiscard]] bool reaches(std::size_t piece, T const* from, T const* to) const {
        T lo[max_dim], hi[max_dim];
        for (std::size_t j = 0; j < reach_.size(); ++j) {
            T const least = survey_.extent.lo[j], largest = survey_.extent.hi[j];
            lo[j] = down(from[j] - reach_[j]), hi[j] = up(to[j] + reach_[j]);
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
    std::vector<T> reach_;
};

}}}  // namespace zwalk::v0::detail
