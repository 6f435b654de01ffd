// Pair counts in the form that run/driver.hpp needs; the driver is in driver.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "zwalk/pairs/pairs.hpp"
#include "zwalk/pairs/trait.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/run/driver.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// Whether walks of D columns count pairs by two numbers.
template <int D>
inline constexpr bool counts_by_two = D == 2 || D == 3;

/// Bins of rp or s that one walk counts at most, of `los` bins of pi or mu each. On threads each has a total of its own.
template <class P>
std::size_t two_number_bins_at_once(std::size_t los) {
    using Trait = PairsByTwo<2, float, false>;
    constexpr std::size_t most = Trait::capacity;
    return is_device<P> ? most : std::min(most, std::size_t(Trait::most_cells) / los);
}

/// What is counted on a device.
struct PairsShape {
    double points, second = 0;  ///< of each set
    int columns = 0;
    std::size_t item_bytes = 0;
    TreeOptions tree{};
    bool weighted = false;
    std::size_t cells = 0;  ///< of bins of two numbers, in one walk
};
/// Cells of one walk on a device, for PairsShape.
std::size_t device_pair_cells(PairOptions const& options);
/// Bytes of a device that it takes beside points as they come, but for lists: trees (two of them and both side by side),
/// weights, and what a walk has per node.
std::uint64_t pairs_device_bytes(PairsShape const& shape);

/// Throws InputError: a rank has none of the weights that others have.
[[noreturn]] void refuse_missing_weights(char const* name, std::size_t points);
/// Throws InputError if points of a rank and those of all have more pairs than one walk can count.
void check_pair_numbers(double own, double all);

struct PairsAlgorithm : PairsCall {
    static constexpr char const* name = "pair counts";
    static constexpr char const* others_name = "second points";
    static constexpr OthersAre others_are = OthersAre::points;

    template <class T>
    static void check(PairOptions const& options, CallSets const& sets);
    static std::array<Option, 6> agreed(PairOptions const& o, Option const& place, bool with_second) {
        return {Option("edges", std::span<double const>(o.edges)),
                Option("bins", int(o.bins)),
                Option("los_edges", std::span<double const>(o.los_edges)),
                Option("line_of_sight", o.line_of_sight),
                Option("having second points", with_second),
                place};
    }
    static std::uint64_t device_bytes(CallSets const& sets, int columns, std::size_t item_bytes,
                                      PairOptions const& o);
    template <class P>
    static TreeOptions tree_options(PairOptions const& o) {
        return o.tree;
    }
    template <class Points>
    static ResultOf<PairsAlgorithm, Points> run(Points& points, Points* second,
                                                PairOptions const& options);
};

}}}  // namespace zwalk::v0::detail
