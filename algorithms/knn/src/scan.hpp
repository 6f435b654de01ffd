// The k nearest by a scan: every target meets every row of the sources as they come, without a sort and a tree. For targets so few
// that a sort of the sources would take longer; scan_cost.hpp says when.
#pragma once
#include <cstddef>
#include <vector>

#include "zwalk/core/points.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/nearest/rows.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// What is scanned: rows that were checked, all in one unit, in a space of these periods (none: open).
template <class T>
struct ScanTask {
    Points<T> sources, targets;
    std::vector<T> period{};
    pos_t k = 1;             ///< at most as many as there are sources (1 without sources)
    T limit2 = infinity<T>;  ///< squared distance of the furthest that is wanted
};

/// How far a scan came.
struct ScanDone {
    bool all = false;       ///< all targets were handed over
    std::size_t pairs = 0;  ///< that have met, also for nothing
};

/// Hands the k nearest rows of the sources to `output` for each target, by numbers of rows in both. The same bits as a walk, ties
/// in z-order of the sources included.
///
/// O(targets * sources * columns), on all threads however few targets there are. Sources may be sorted in any way.
///
/// Memory: up to three megabytes for each thread and 16 MB for keys (k = 100, doubles; 30 and 16 for k = 1000, or 2 for each thread), within the budget of the place if that holds the tile
/// of one thread; 24 bytes for each tie, of which there are at most as many as sources; and for a visitor 16 k bytes for each target.
///
/// Sources that tie with the last neighbour are put in z-order where more do than are kept at first, at the price of a scan for
/// their targets. Among many copies of points the scan gives up early: a tree handles these better. Call inside Cpu::run.
/// @returns  where not all were handed over, what `output` wrote is to be written again. A visitor has seen nothing then
template <class T>
ScanDone scan_nearest(Cpu const& cpu, ScanTask<T> const& task, NearestRows<T> const& output);

/// The share of sources that lie up to one and a half times as far from a target as its nearest, by some of both: that tree_seconds()
/// asks for. Below zero: there are too few pairs to look at some. O(1): less than a thirtieth of a scan. Call inside Cpu::run.
template <class T>
double share_near(ScanTask<T> const& task);

extern template double share_near(ScanTask<float> const&);
extern template double share_near(ScanTask<double> const&);
extern template ScanDone scan_nearest(Cpu const&, ScanTask<float> const&, NearestRows<float> const&);
extern template ScanDone scan_nearest(Cpu const&, ScanTask<double> const&, NearestRows<double> const&);

}}}  // namespace zwalk::v0::detail
