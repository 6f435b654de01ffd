// Groups of points that are spread over ranks with a device each: those that one process finds on threads. The devices are those
// of the host.
#include <doctest/doctest.h>

#include <tuple>

#include "fof/src/driver.hpp"
#include "ranks/alone.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public functions do for a GPU, or threads.
template <class T, class P>
FofResult<Mpi> fof_on(P& device, Comm& comm, detail::RankInput<T> const& own, FofOptions const& o) {
    return detail::run_on_ranks<detail::FofAlgorithm>(comm, Cpu(1), rank_place_of<T>(device), own,
                                                      nullptr, o);
}

template <int D, class T>
bool same_fof_as_alone(Comm& comm, Input<D, T> const& input, FofOptions const& o) {
    HostDevice<> device;
    bool tidy = true;
    bool const same = same_groups(comm, input, o, [&](Points<T> own, FofOptions asked) {
        if (asked.order == Order::z) asked.tree.leaf_size = 7;
        auto found = fof_on<T>(device, comm, own, asked);
        // On several ranks its points may all have gone to others, and nothing is launched for none.
        tidy = tidy && device.bytes_in_use() == 0 &&
               (own.size == 0 || comm.size() > 1 || device.stats().launches > 0);
        return found;
    });
    return same && tidy;
}

template <int D, class T>
void check_fof_kinds(Comm& comm, std::vector<std::size_t> const& sizes, double length) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t) {
        CHECK(same_fof_as_alone(comm, input, {.linking_length = length}));
    });
}

}  // namespace

TEST_CASE("FoF on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_fof_kinds<3, float>(comm, {2, 400}, .1);
    check_fof_kinds<3, float>(comm, {300}, .02);
    check_fof_kinds<2, double>(comm, {300}, .1);
    check_fof_kinds<2, float>(comm, {300}, .05);   // trees get a column more on their way to the device
    check_fof_kinds<1, double>(comm, {200}, .01);  // as they do in builds for one dimension
    for (std::size_t n : {0, 1, 30})
        for (double length : {0., .2, 100.})
            CHECK(same_fof_as_alone(comm,
                                    Input<3, float>{::test::make_points<3, float>("uniform", n, 2),
                                                    spread("even", n, comm.size())},
                                    {.linking_length = length}));
}

TEST_CASE("FoF on ranks with devices: groups that go through many ranks, and round the box") {
    Comm comm(world());
    auto const chain = chain_of(1000);
    for (auto const& how : spreads()) {
        CAPTURE(how);
        Input<2, float> const input{chain, spread(how, chain.size(), comm.size())};
        for (double length : {.001, .0134, .05})
            for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}})
                CHECK(same_fof_as_alone(comm, input, {.linking_length = length, .box = box}));
    }
}

TEST_CASE("FoF on ranks with devices: an index, which stays") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("clustered", 3000, 7),
                                spread("uneven", 3000, comm.size())};
    auto const own = input.of(comm.rank());
    FofOptions const o{.linking_length = .02};
    HostDevice<> device;
    auto const expected = fof(own, o, world(), Cpu(1));
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    for (int times = 0; times < 2; ++times)
        CHECK(fof_on<float>(device, comm, index, o).labels == expected.labels);
}

TEST_CASE("FoF on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 300, 5);
    auto const own = input.of(comm.rank());
    FofOptions const o{.linking_length = .05};
    check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto r = fof_on<float>(device, comm, own, o);
        return std::tuple(std::move(r.labels), r.groups);
    });
    check_memory(comm, [&] {
        HostDevice<> device;
        return fof_on<float>(device, comm, own, o).labels;
    });

    HostDevice<> device;
    if (comm.rank() == comm.size() - 1) device.memory_size = 1000;
    auto const words = thrown_by([&] { (void)fof_on<float>(device, comm, own, o); });
    CHECK(words.starts_with("Error: friends-of-friends of "));
    CHECK(words.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
}

TEST_CASE("FoF on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const own = input.of(comm.rank());
    FofOptions const o{.linking_length = .1};
    HostDevice<> device;
    CHECK(thrown_by([&] {
              (void)fof_on<float>(device, comm, own, {.linking_length = -1});
          }).starts_with("InputError: the linking length must be"));
    Input<4, float> const wide{::test::make_points<4, float>("uniform", 20, 7),
                               spread("all on the last", 20, comm.size())};
    CHECK(thrown_by([&] { (void)fof_on<float>(device, comm, wide.of(comm.rank()), o); }) ==
          "InputError: the points have 4 columns, but this build has GPU kernels for at most 3: use the "
          "CPU, or build with a larger dimension in ZWALK_CUDA_DIMS");
    if (comm.size() > 1)
        CHECK(thrown_by([&] {
                  Cpu threads(1);
                  if (comm.rank() == 1) (void)fof_on<float>(device, comm, own, o);
                  else (void)fof_on<float>(threads, comm, own, o);
              }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");

    // Where there is no GPU, or one of the ranks has none.
    auto const no_device = thrown_by([&] { (void)open_cuda({.device = 100}); });
    CHECK(no_device.starts_with("InputError: "));
    CHECK(thrown_by([&] { (void)fof(own, o, world(), Cuda{.device = 100}); }) == no_device);
    CHECK(thrown_by([&] {
              if (comm.rank() == comm.size() - 1) (void)fof(own, o, world(), Cuda{.device = 100});
              else (void)fof(own, o, world(), Cpu(1));
          }) == no_device);
    CHECK(thrown_by([&] { (void)fof_with_catalogue(own, o, {}, world(), Cuda{.device = 100}); }) ==
          no_device);
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(thrown_by([&] { (void)fof(index, o, Cuda{.device = 100}); }) == no_device);
}

TEST_CASE("a GPU for each rank: who shares one; none") {
    Comm comm(world());
    auto const number = [](int rank) { return rank == 0 ? 0 : rank % 2; };
    CudaDeviceId id{};
    id[15] = static_cast<unsigned char>(number(comm.rank()));
    int sharing = 0;
    for (int r = 0; r < comm.size(); ++r) sharing += number(r) == number(comm.rank());
    CHECK(detail::ranks_with(comm, id) == sharing);
    if (cuda_devices() == 0) {
        auto const words = thrown_by([] { check_cuda({}); });
        CHECK(thrown_by([&] { (void)rank_cuda(comm); }) == words);
        CHECK(thrown_by([&] { (void)rank_cuda(comm, 0); }) == words);
    } else {
        auto const cuda = rank_cuda(comm);
        CHECK(cuda.device == comm.host_rank() % cuda_devices());
        CHECK(cuda.processes >= 1);
        CHECK(rank_cuda(comm, 0).device == 0);
        CHECK(thrown_by([&] {
                  (void)rank_cuda(comm, comm.rank() == 0 ? 1000 : 0);
              }).starts_with("InputError"));
    }
}
