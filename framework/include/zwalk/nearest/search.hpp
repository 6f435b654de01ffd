// The options of a search for the nearest sources.
#pragma once
#include <cstdint>
#include <functional>

#include "zwalk/core/index.hpp"
#include "zwalk/core/within.hpp"
#include "zwalk/walk/inputs.hpp"

namespace zwalk { inline namespace v0 {

/// What an output on a device usually keeps of its neighbours at a time, if it doesn't keep all.
inline constexpr std::uint64_t chunk_bytes = 64 << 20;

struct NearestSearch {
    index_t k = 16;             ///< how many of each target; may exceed the number of sources
    bool exclude_self = false;  ///< a target is not its own source: targets and sources are one tree
    double within = infinity<double>;  ///< distance of the furthest that is wanted
    // On devices, as in WalkInputs:
    std::function<void(pos_t begin, pos_t end)> after_chunk{};
    pos_t chunk_points = no_pos;
    TargetNodes targets{};

    /// The largest squared distance that is wanted (core/within.hpp).
    template <class T>
    [[nodiscard]] T limit2() const {
        return within < infinity<double> ? largest_square(T(within)) : infinity<T>;
    }
};

namespace detail {
/// Throws InputError unless it is a distance; infinity is one.
void check_within(double within);
}  // namespace detail

}}  // namespace zwalk::v0
