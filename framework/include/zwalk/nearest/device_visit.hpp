// How neighbours on a device reach a user's object, run by run.
#pragma once
#include <functional>

#include "zwalk/exec/cuda.hpp"
#include "zwalk/nearest/neighbours.hpp"

namespace zwalk::inline v0::detail {

/// Neighbours of the target positions [begin, end), in a device's memory until the next run: those of position
/// i in row i % ring.
template <class T>
struct NeighbourRun {
    pos_t begin, end, ring;
    bool
        limited;  ///< by distance: of some targets there are fewer than `found`; indices behind the last one are -1
    std::size_t columns;
    T const* distance2;
    index_t const* index;
    pos_t found;          ///< neighbours of each target, or the most of one: see `limited`
    pos_t const* row_of;  ///< of a target position; null: the position
    T unit = 1;           ///< of lengths
};

/// f(row, NeighbourRow) for each target of a run, for Device::for_each.
template <class T, class F>
struct VisitRows {
    F f;
    NeighbourRun<T> run;
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const target = run.begin + pos_t(i);
        std::size_t const at = target % run.ring * run.columns;
        pos_t found = run.found;
        if (run.limited)
            while (found > 0 && run.index[at + found - 1] < 0) --found;
        f(index_t(run.row_of ? run.row_of[target] : target),
          NeighbourRow<T>(run.distance2 + at, run.index + at, found, nullptr, run.unit));
    }
};
/// Calls f(row, NeighbourRow) for all targets of a run, in the device's stream.
template <class T, class Device, class F>
void visit_rows(Device& device, NeighbourRun<T> const& run, F const& f) {
    device.for_each(run.end - run.begin, VisitRows<T, F>{f, run});
}

template <class T, class Device>
using RunVisitor = std::function<void(Device&, NeighbourRun<T> const&)>;
template <class T>
using CudaRunVisitor = RunVisitor<T, CudaDevice>;

}  // namespace zwalk::inline v0::detail
