// DBSCAN of points that are spread over ranks with a device each: clusters, core points and noise of one process on threads. The
// devices are those of the host.
#include <doctest/doctest.h>

#include "dbscan/src/driver.hpp"
#include "ranks/alone.hpp"
#include "ranks/clusterings.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/knn/rank_neighbours_of.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public functions do for a GPU.
template <class T>
DbscanResult<Mpi> dbscan_on(HostDevice<>& device, Comm& comm, detail::RankInput<T> const& own,
                            DbscanOptions const& o) {
    return detail::run_on_ranks<detail::DbscanAlgorithm>(comm, Cpu(1), rank_place_of<T>(device), own,
                                                         nullptr, o);
}

template <int D, class T>
bool same_dbscan_as_alone(Comm& comm, Input<D, T> const& input, DbscanOptions const& o) {
    HostDevice<> device;
    bool tidy = true;
    bool const same = same_clusters(comm, input, o, [&](Points<T> own, DbscanOptions const& asked) {
        device.budget = asked.order == Order::z ? 4000 : 0;  // lists in pieces
        auto found = dbscan_on<T>(device, comm, own, asked);
        bool const looks = std::uint64_t(asked.min_samples) <= input.rows.size();
        tidy = tidy && device.bytes_in_use() == 0 &&
               (own.size == 0 || !looks || comm.size() > 1 || device.stats().launches > 0);
        return found;
    });
    return same && tidy;
}

/// For checks that threads and devices share.
auto same_dbscan_on(Comm& comm) {
    return
        [&](auto const& input, DbscanOptions const& o) { return same_dbscan_as_alone(comm, input, o); };
}

}  // namespace

TEST_CASE("DBSCAN on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_kinds<3, float>(comm, {2, 300}, .12, 5, same_dbscan_on(comm));
    check_kinds<2, double>(comm, {300}, .06, 4, same_dbscan_on(comm));
    check_kinds<2, float>(comm, {200}, .06, 4,
                          same_dbscan_on(comm));  // trees get a column more on their way to the device
    check_few_points(comm, same_dbscan_on(comm));
}

TEST_CASE("DBSCAN on ranks with devices: clusters that go through many ranks, and round the box") {
    Comm comm(world());
    auto const chain = chain_of(600);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, float> const input{chain, spread(how, chain.size(), comm.size())};
        for (double epsilon : {.008, .022})
            for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}})
                CHECK(same_dbscan_as_alone(comm, input,
                                           {.epsilon = epsilon, .min_samples = 3, .box = box}));
    }
}

TEST_CASE("DBSCAN on ranks with devices: border points between clusters, at equal distances") {
    Comm comm(world());
    check_crosses(comm, same_dbscan_on(comm));
}

TEST_CASE("DBSCAN on ranks with devices: many points; an index, which stays") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("clustered", 6000, 7),
                                spread("uneven", 6000, comm.size())};
    DbscanOptions const o{.epsilon = .03, .min_samples = 8};
    CHECK(same_dbscan_as_alone(comm, input, o));
    auto const own = input.of(comm.rank());
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    auto const expected = dbscan(index, o);
    HostDevice<> device;
    for (int times = 0; times < 2; ++times)
        CHECK(dbscan_on<float>(device, comm, index, o).labels == expected.labels);
}

TEST_CASE("DBSCAN on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 150, 5);
    auto const own = input.of(comm.rank());
    DbscanOptions const o{.epsilon = .05, .min_samples = 5};
    check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto r = dbscan_on<float>(device, comm, own, o);
        return std::pair(std::move(r.labels), std::move(r.core));
    });
    check_memory(comm, [&] {
        HostDevice<> device;
        return dbscan_on<float>(device, comm, own, o).labels;
    });

    HostDevice<> device;
    if (comm.rank() == comm.size() - 1) device.memory_size = 1000;
    auto const words = thrown_by([&] { (void)dbscan_on<float>(device, comm, own, o); });
    CHECK(words.starts_with("Error: DBSCAN of "));
    CHECK(words.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
}

TEST_CASE("DBSCAN on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    DbscanOptions const o{.epsilon = .1};
    Cuda const none{.device = 100};
    auto const no_device = thrown_by([&] { (void)open_cuda(none); });
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(thrown_by([&] { (void)dbscan(own, o, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)dbscan(index, o, none); }) == no_device);
    if (comm.size() == 1) return;
    CHECK(thrown_by([&] {
              HostDevice<> device;
              if (comm.rank() == 1) {
                  Comm own_comm(world());  // as the public functions make one
                  (void)dbscan_on<float>(device, own_comm, own, o);
              } else (void)dbscan(own, o, world(), Cpu(1));
          }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");
}
