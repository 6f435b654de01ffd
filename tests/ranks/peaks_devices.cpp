// Density peaks of points that are spread over ranks with a device each: the decision graph of one process on threads. The devices
// are those of the host.
#include <doctest/doctest.h>

#include "density/src/device_reduce.hpp"
#include "peaks/src/driver.hpp"
#include "ranks/alone.hpp"
#include "ranks/decision_graphs.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "zwalk/knn/rank_neighbours_of.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public functions do for a GPU.
template <class T>
PeaksResult<T, Mpi> peaks_on(HostDevice<>& device, Comm& comm, detail::RankInput<T> const& own,
                             PeaksOptions const& o) {
    return detail::run_on_ranks<detail::PeaksAlgorithm>(comm, Cpu(1), rank_place_of<T>(device), own,
                                                        nullptr, o);
}

template <int D, class T>
bool same_peaks_as_alone(Comm& comm, Input<D, T> const& input, PeaksOptions const& o) {
    HostDevice<> device;
    bool tidy = true;
    bool const same = same_peaks(comm, input, o, [&](Points<T> own, PeaksOptions const& asked) {
        device.budget = asked.order == Order::z ? 4000 : 0;  // lists in pieces
        auto found = peaks_on<T>(device, comm, own, asked);
        tidy = tidy && device.bytes_in_use() == 0 &&
               (own.size == 0 || comm.size() > 1 || device.stats().launches > 0);
        return found;
    });
    return same && tidy;
}

/// For checks that threads and devices share.
auto same_peaks_on(Comm& comm) {
    return [&](auto const& input, PeaksOptions const& o) { return same_peaks_as_alone(comm, input, o); };
}

}  // namespace

TEST_CASE("density peaks on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_graphs<3, float>(comm, {2, 300}, 5, same_peaks_on(comm));
    check_graphs<2, double>(comm, {300}, 40, same_peaks_on(comm));
    check_graphs<2, float>(comm, {200}, 6,
                           same_peaks_on(comm));  // trees get a column more on their way to the device
    check_few_in_graphs(comm, same_peaks_on(comm));
    check_chains(comm, same_peaks_on(comm));
}

TEST_CASE("density peaks on ranks with devices: an index, which stays") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 150, 5);
    RankIndex<float> const index(input.of(comm.rank()), {}, world(), Cpu(1));
    auto const expected = density_peaks(index, {.k = 9});
    HostDevice<> device;
    for (int times = 0; times < 2; ++times) {
        auto const found = peaks_on<float>(device, comm, index, {.k = 9});
        CHECK(found.delta == expected.delta);
        CHECK(found.nearest_denser == expected.nearest_denser);
    }
}

TEST_CASE("density peaks on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 150, 5);
    auto const own = input.of(comm.rank());
    PeaksOptions const o{.k = 5};
    check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto r = peaks_on<float>(device, comm, own, o);
        return std::pair(std::move(r.delta), std::move(r.nearest_denser));
    });
    check_memory(comm, [&] {
        HostDevice<> device;
        return peaks_on<float>(device, comm, own, o).delta;
    });
}
