// What an algorithm's driver is given on any place, and what it says of its work.
//
// An algorithm A is a struct of types and functions:
//
//   using Options = ...;                                    the public ones
//   template <class T, class P> using Result = ...;         public, in the memory of a place P
//   static constexpr char const* name                       begins a sentence: "friends-of-friends"
//   static void check<T>(Options const&, std::size_t n)     refuses what options alone show, for n points; defined for
//                                                           host compilers
//   static std::uint64_t device_bytes(double n, int columns, std::size_t item_bytes, Options const&)
//                                                           what n points need on a device beside themselves
//   template <int D, class T, class P>                      the driver: from points to the result
//   static Result<T, P> run(P& place, RunInput<T, P> const&, Options const&)
//
// call.hpp brings a user's call to the driver; zwalk_add_algorithm() compiles the driver for each dimension and place.
#pragma once
#include <vector>

#include "zwalk/core/clock.hpp"
#include "zwalk/core/device_points.hpp"
#include "zwalk/core/outcome.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk::inline v0::detail {

/// Points that have been checked, in the memory of a place.
template <class T, class P>
struct RunInput {
    std::conditional_t<is_device<P>, DevicePoints<T>, Points<T>> points;
    std::vector<T> period;  ///< of each axis of the data, +infinity on open ones; empty: open space
};

/// The driver of A for one compiled dimension, type and place. Declared for all who call it; defined in instance.hpp,
/// for those that compile it.
template <class A, int D, class T, class P>
struct Instance {
    static typename A::template Result<T, P> run(P& place, RunInput<T, P> const& input,
                                                 typename A::Options const& options);
};

/// Seconds of what was asked of a place, phase by phase.
template <class P>
class RunPhases {
  public:
    explicit RunPhases(P& place) : place_(place), last_(now_seconds()) {}
    void end(Stats& stats, char const* phase) {
        place_.synchronize();
        double const now = now_seconds();
        stats.seconds.emplace_back(phase, now - last_);
        last_ = now;
    }

  private:
    P& place_;
    double last_;
};

}  // namespace zwalk::inline v0::detail
