// Which order of expansions and which opening keep an error of accelerations.
#pragma once
#include "algorithm.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

inline constexpr double max_opening = 8, worst_accuracy = .1;
/// The smallest error that can be asked for: about what rounding leaves, or the opening that order 5 needs for it.
template <class T>
constexpr double best_accuracy() {
    return sizeof(T) == 4 ? 1e-5 : 1e-6;
}
/// In a periodic box forces of images cancel, and errors are relative to what is left of them (tests/gravity/periodic.cpp): the
/// smallest that can be asked for is larger by this.
inline constexpr double periodic_margin = 10;

/// The least order that with_accuracy() chooses.
inline constexpr int least_chosen_order = 4;

/// Most points of a leaf where threads walk in open space; elsewhere it is as for other algorithms.
inline constexpr pos_t leaf_on_threads = 32;

}}}  // namespace zwalk::v0::detail
