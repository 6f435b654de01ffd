// Numbers along an axis or a colour bar.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zwalk::apps {

struct Interval {
    double lo, hi;
    [[nodiscard]] double length() const { return hi - lo; }
};

/// Multiples of 1, 2 or 5 times a power of ten: about `count` of them inside the interval.
std::vector<double> ticks(Interval i, int count);

/// A number in a few characters, with so many significant digits: "0.25", "12000", "5.5e-4".
std::string label(double v, int digits);

/// Maps values to [0, 1], along their logarithm if `log`.
class Scale {
  public:
    /// @param range  the ends; none: those of the finite values
    /// @throws InputError  no values to find the ends by, or ends that a logarithm can't show
    Scale(std::vector<double> const& values, bool log, bool invert,
          std::optional<std::pair<double, double>> range);

    [[nodiscard]] Interval ends() const { return ends_; }
    /// Position along the bar, from 0 at ends().lo; cut to [0, 1].
    [[nodiscard]] double position(double v) const;
    /// The position, or its complement if inverted: what the colour is chosen by.
    [[nodiscard]] double shade(double v) const { return invert_ ? 1 - position(v) : position(v); }
    /// Where to label the bar between its ends.
    [[nodiscard]] std::vector<double> inner_ticks() const;

  private:
    [[nodiscard]] double value(double v) const;
    bool log_, invert_;
    Interval ends_{0, 1};
};

}  // namespace zwalk::apps
