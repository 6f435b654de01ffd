// How neighbours on the device of a rank reach a user's object: by names that all ranks know.
#pragma once
#include <functional>

#include "zwalk/nearest/device_visit.hpp"

namespace zwalk::inline v0::detail {

/// f(row, NeighbourRow) for each of this rank's targets in a run, for Device::for_each.
template <class T, class F>
struct VisitRowsOfRank {
    F f;
    NeighbourRun<T> run;
    index_t const* row_of;  ///< of a target's number; null: the number
    ZWALK_HD void operator()(std::size_t i) const {
        pos_t const target = run.begin + pos_t(i);
        std::size_t const at = target % run.ring * run.columns;
        f(row_of ? row_of[target] : index_t(target),
          NeighbourRow<T>(run.distance2 + at, run.index + at, run.found));
    }
};

/// Is handed run after run, and the row of the input of all ranks that each target is, in the device's memory; null: rows are
/// numbers of targets.
template <class T, class Device>
using RankRunVisitor = std::function<void(Device&, NeighbourRun<T> const&, index_t const* row_of)>;

/// What calls a user's object, in the device's stream.
template <class T, class Device, class F>
RankRunVisitor<T, Device> rank_run_visitor(F const& f) {
    return [f](Device& device, NeighbourRun<T> const& run, index_t const* row_of) {
        device.for_each(run.end - run.begin, VisitRowsOfRank<T, F>{f, run, row_of});
    };
}

}  // namespace zwalk::inline v0::detail
