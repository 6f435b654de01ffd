// Numbers made of the neighbours of points that are spread over ranks with a device each: those of one process on threads, bit for
// bit. The devices are those of the host.
#include <doctest/doctest.h>

#include "density/src/device_reduce.hpp"
#include "density/src/driver.hpp"
#include "ranks/alone.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/knn/rank_neighbours_of.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public functions do for a GPU.
template <class T>
KnnReduced<T, Mpi> reduced_on(HostDevice<>& device, Comm& comm, detail::RankInput<T> const& own,
                              std::type_identity_t<Points<T>> const* queries, Reduction what,
                              KnnOptions const& o) {
    return detail::run_on_ranks<detail::ReduceAlgorithm>(comm, Cpu(1), rank_place_of<T>(device), own,
                                                         queries, {o, what});
}

template <int D, class T>
bool same_density_as_alone(Comm& comm, Input<D, T> const& sources, Input<D, T> const* queries,
                           KnnOptions const& o) {
    HostDevice<> device;
    bool tidy = true;
    bool const same = same_reductions(
        comm, sources, queries, o,
        [&](Points<T> own, Points<T> const* asking, Reduction what, KnnOptions const& asked) {
            device.budget = asked.order == Order::z ? 4000 : 0;  // few points in each run
            auto found = reduced_on<T>(device, comm, own, asking, what, asked);
            tidy = tidy && device.bytes_in_use() == 0 &&
                   (found.values.empty() || comm.size() > 1 || device.stats().launches > 0);
            return found;
        });
    return same && tidy;
}

template <int D, class T>
void check_density_kinds(Comm& comm, std::vector<std::size_t> const& sizes) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto const& input, std::size_t turn) {
        index_t const k = turn % 3 == 0 ? 40 : 6;
        CHECK(
            same_density_as_alone<D, T>(comm, input, nullptr, {.k = k, .exclude_self = turn % 2 == 0}));
    });
}

}  // namespace

TEST_CASE("densities on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_density_kinds<3, float>(comm, {0, 1, 250});
    check_density_kinds<2, double>(comm, {200});
    check_density_kinds<2, float>(comm, {100});  // trees get a column more on their way to the device
}

TEST_CASE("densities on ranks with devices: queries, round the box; an index, which stays") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 1000, 7),
                                spread("uneven", 1000, comm.size())},
        asking{::test::make_points<3, float>("uniform", 200, 8),
               spread("all on the last", 200, comm.size())};
    CHECK(same_density_as_alone<3, float>(comm, input, &asking, {.k = 9, .box = {1}}));
    CHECK(same_density_as_alone<3, float>(comm, input, nullptr, {.k = 9, .box = {0, 1, 0}}));
    auto const own = input.of(comm.rank());
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    HostDevice<> device;
    for (int times = 0; times < 2; ++times)
        CHECK(reduced_on<float>(device, comm, index, &own, Reduction::sph, {}).values ==
              knn_reduce(index, own, Reduction::sph, {}).values);
}

TEST_CASE("densities on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 150, 5);
    auto const own = input.of(comm.rank());
    check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        return reduced_on<float>(device, comm, own, nullptr, Reduction::sph, {.k = 8}).values;
    });
    check_memory(comm, [&] {
        HostDevice<> device;
        return reduced_on<float>(device, comm, own, nullptr, Reduction::density, {.k = 8}).values;
    });

    HostDevice<> device;
    if (comm.rank() == 0) device.memory_size = 1000;
    auto const refusal = thrown_by(
        [&] { (void)reduced_on<float>(device, comm, own, nullptr, Reduction::density, {.k = 8}); });
    CHECK(refusal.starts_with("Error: kNN of "));
    CHECK(refusal.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
}

TEST_CASE("densities on ranks with devices: no rows of k neighbours are needed") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 4000, 5);
    HostDevice<> device;
    device.memory_size = 12'000'000;  // rows of k = 1000 take 48 MB
    device.budget = 4'000'000;
    CHECK(
        !reduced_on<float>(device, comm, input.of(comm.rank()), nullptr, Reduction::radius, {.k = 1000})
             .values.empty());
}

TEST_CASE("densities on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    auto const what = Reduction::density;
    Cuda const none{.device = 100};
    auto const no_device = thrown_by([&] { (void)open_cuda(none); });
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(thrown_by([&] { (void)knn_reduce(own, what, {}, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)knn_reduce(own, own, what, {}, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)knn_reduce(index, what, {}, none); }) == no_device);
    CHECK(thrown_by([&] { (void)knn_reduce(index, own, what, {}, none); }) == no_device);
    if (comm.size() == 1) return;
    CHECK(thrown_by([&] {
              HostDevice<> device;
              if (comm.rank() == 1) {
                  Comm own_comm(world());  // as the public functions make one
                  (void)reduced_on<float>(device, own_comm, own, nullptr, what, {});
              } else (void)knn_reduce(own, what, {}, world(), Cpu(1));
          }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");
}
