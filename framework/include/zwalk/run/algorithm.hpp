// What an algorithm's driver gets on any place, and what it reports of its work, where the driver is what is compiled for each
// dimension. Where the walk is, and one driver is that of ranks, too: driver.hpp.
//
// An algorithm A is a struct of types and functions:
//
//   template <class T, class P> using Task = ...;           the task: its public options, or a type that holds them
//   template <class T, class P> using Result = ...;         public, in the memory of a place P; has a member Stats stats
//   template <int D, class T, class P>                      the driver: from prepared points to the result
//   static Result<T, P> run(P& place, RunPoints<T, P>&, Task<T, P> const&)
//
//   static void to_unit(Task<T, P>&, LengthUnit<T> const&)   lengths that the task has become those of the unit that the points are in
//   static void from_unit(P& place, Result<T, P>&, LengthUnit<T> const&)
//                                                           and those that the result has, back; if it has any
//   static LengthUnit<T> unit_for<T>(T largest, Task<T, P> const&)
//                                                           the unit for coordinates of up to `largest`, if it isn't the usual one
//
// and, to be called for points as they come (call.hpp):
//
//   static constexpr char const* name                       begins a sentence: "friends-of-friends"
//   using Options = ...;                                    the public ones, with a member box; make a Task
//   static void check<T>(Options const&, CallSets const&)   refuses mistakes that options and the shape of points show; defined
//                                                           for host compilers
//   static Options among(std::size_t n, Options)            what options mean for n points, if they don't mean the same for all
//   static TreeOptions tree_options<P>(Options const&)      how to cut the tree
//   static std::uint64_t device_bytes(CallSets const&, int columns, std::size_t item_bytes, Options const&)
//                                                           what the points need on a device beside themselves
//
// zwalk_add_algorithm() compiles the driver for each dimension and place.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "zwalk/exec/place.hpp"
#include "zwalk/run/phases.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// The points of a call as it begins: how many there are, of how many columns, and others that are to meet them.
struct CallSets {
    struct Set {
        std::size_t size = 0;
        int dim = 0;
    };
    Set points;
    std::optional<Set> others{};
    bool on_ranks = false;  ///< these are what one rank passes: what others have isn't known yet

    [[nodiscard]] std::size_t size() const { return points.size + (others ? others->size : 0); }
};

/// All that the memory of a call on a device depends on, but for its options.
struct CallShape {
    std::size_t points = 0;
    std::optional<std::size_t> others{};
    bool kept = false;           ///< the tree of the points is there
    int columns = 0;             ///< compiled ones
    std::size_t item_bytes = 4;  ///< bytes of a coordinate
    TreeOptions tree{};
    std::uint64_t memory_budget = 0;
};
/// The bytes of a device that a call needs beside the input.
struct CallNeed {
    std::string what;         ///< begins a sentence: "radius search of 100 points"
    std::uint64_t build = 0;  ///< while rows of points are there, too
    std::uint64_t most = 0;
};

/// The points that a driver works on: those of one call, which it may use up, or those that an index keeps.
template <class T, class P>
class RunPoints {
  public:
    explicit RunPoints(PreparedPoints<T, P>&& own) : own_(std::move(own)), points_(&*own_) {}
    /// `kept` stays as it is.
    explicit RunPoints(PreparedPoints<T, P> const& kept) : points_(&kept) {}
    RunPoints(RunPoints const&) = delete;
    RunPoints& operator=(RunPoints const&) = delete;

    [[nodiscard]] bool kept() const { return !own_; }
    PreparedPoints<T, P> const* operator->() const { return points_; }
    PreparedPoints<T, P> const& operator*() const { return *points_; }
    /// The rows of the points in the input, by position.
    ArrayOn<P, pos_t> take_order(P& place) {
        if (own_) return std::move(own_->tree.input);
        return copy_on(place, points_->tree.input.data(), points_->tree.input.size());
    }
    /// Gives the memory of points that aren't kept back: the tree is empty then.
    void drop_tree() {
        if (own_) own_->tree = {};
    }

  private:
    std::optional<PreparedPoints<T, P>> own_;
    PreparedPoints<T, P> const* points_;
};

/// The driver of A for one compiled dimension, type and place, for all its callers: public functions and drivers of other
/// algorithms. Defined by ZWALK_INSTANCE (instance.hpp) in a file of its own.
template <class A, int D, class T, class P>
struct Instance {
    static typename A::template Result<T, P> run(P& place, RunPoints<T, P>& points,
                                                 typename A::template Task<T, P> const& task);
};

}}}  // namespace zwalk::v0::detail
