// What goes into a walk beside trait, space and trees.
#pragma once
#include <cstdint>
#include <functional>

#include "zwalk/walk/interaction.hpp"

namespace zwalk::inline v0 {

/// Inputs of a walk that only some traits need; pointers are to memory of the place, but for the total.
template <class I>
struct WalkInputs {
    ColumnsView<typename I::Payload> target_payload{}, source_payload{};  ///< in z-order
    pos_t* links = nullptr;  ///< uses.links: one element per point, see links_init()
    typename detail::TotalOf<I>::type* total = nullptr;  ///< uses.total: added to, on the host

    /// On a device, if there is one: leaves are launched in runs of at most `run_points` target points (but of one leaf at
    /// least), and after each launch this is called with the run's first target and one behind its last. So a
    /// trait's outputs need memory for one run only. Not with symmetric.
    std::function<void(pos_t begin, pos_t end)> after_run{};
    pos_t run_points = no_pos;
};

}  // namespace zwalk::inline v0
