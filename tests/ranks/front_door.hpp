// What one process with all points finds by the lines that ranks run, and each rank's part of it.
#pragma once
#include <algorithm>

#include "ranks/input.hpp"
#include "ranks/ranks.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/run/mpi.hpp"

namespace zwalk::test {

/// All ranks as a place, each walking on a P of its own.
template <class P>
struct RanksOn {
    P device;
    MpiRanksOn<P> place;
    explicit RanksOn(int threads) : place(world(), device, Cpu(threads)) {}
};
template <>
struct RanksOn<Cpu> {
    MpiRanks place;
    explicit RanksOn(int threads) : place(world(), Cpu(threads)) {}
};

/// What `of_tree` finds with all points in one process, and the part of it for this rank's rows.
template <int D, class T, class OfTree>
auto alone(Input<D, T> const& input, PointTreeOptions const& options, OfTree const& of_tree) {
    Cpu place(1);
    return of_tree(make_tree<D>(place, input.all(), options), [](auto const& rows) { return rows; });
}

/// The rows of some vector of all that are this rank's.
template <class Begin>
auto part_of(Comm& comm, Begin const& begin) {
    auto const rank = std::size_t(comm.rank());
    return [begin = begin[rank], end = begin[rank + 1]](auto const& all) {
        return std::remove_cvref_t<decltype(all)>(all.begin() + std::ptrdiff_t(begin),
                                                  all.begin() + std::ptrdiff_t(end));
    };
}

/// A box that repeats along the first axis and the last, little more than the points' own.
inline std::vector<double> box_around(::test::Rows<3, float> const& rows) {
    std::vector<double> box{1, 0, 1};
    for (std::size_t j : {0, 2}) {
        auto const [lo, hi] = std::minmax_element(
            rows.begin(), rows.end(), [j](auto const& a, auto const& b) { return a[j] < b[j]; });
        if (!rows.empty()) box[j] = std::max(1e-3, 1.1 * (double((*hi)[j]) - double((*lo)[j])));
    }
    return box;
}

}  // namespace zwalk::test
