// Nearest neighbours of points that are spread over ranks with a device each: those that one process finds on threads, bit for bit.
// The devices are those of the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "density/src/device_reduce.hpp"
#include "density/src/driver.hpp"
#include "knn/src/driver.hpp"
#include "knn/src/rank_batches.hpp"
#include "ranks/alone.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/seen.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/knn/detail/rank_visit.hpp"
#include "zwalk/run/detail/device_rows.hpp"
#include "zwalk/run/rank_calls.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// Ranks whose messages leave the memory of devices.
Mpi straight(std::size_t message_bytes = Mpi{}.message_bytes) {
    Mpi mpi = world(message_bytes);
    mpi.gpu_aware = true;
    return mpi;
}

/// What the public functions do for a GPU, or threads.
template <class T, class P>
KnnResult<T, Mpi> knn_on(P& device, Comm& comm, detail::RankInput<T> const& own,
                         std::type_identity_t<Points<T>> const* queries, KnnOptions const& o) {
    return detail::run_on_ranks<detail::KnnAlgorithm>(comm, Cpu(1), rank_place_of<T>(device), own,
                                                      queries, {o});
}
KnnResult<float, Mpi> visits_on(HostDevice<>& device, Comm& comm, Points<float> own,
                                Points<float> const* queries, KnnOptions const& o,
                                detail::RankChunkVisitor<float, HostDevice<>> const& visitor) {
    return detail::run_on_ranks<detail::KnnAlgorithm>(comm, Cpu(1), rank_place_of<float>(device),
                                                      detail::RankInput<float>(own), queries,
                                                      {o, &visitor});
}

/// Neighbours of the points themselves where there are no queries.
template <int D, class T>
bool same_knn_as_alone(Comm& comm, Input<D, T> const& sources, Input<D, T> const* queries,
                       KnnOptions const& o) {
    HostDevice<> device;
    Comm straight_comm(straight());
    bool tidy = true;
    bool const same = same_neighbours(
        comm, sources, queries, o, {.leaf_size = 6, .coarsening = 3, .top_nodes = 4},
        [&](Points<T> own, Points<T> const* asking, KnnOptions const& asked) {
            bool const in_z = asked.order == Order::z;
            if (in_z) device.budget = 4000;  // lists in pieces
            auto found = knn_on<T>(device, comm, own, asking, asked);
            auto const same_way = knn_on<T>(device, straight_comm, own, asking, asked);
            tidy = tidy && same_way.indices == found.indices && same_way.distances == found.distances;
            tidy = tidy && device.bytes_in_use() == 0 &&
                   (!in_z || found.rows == 0 || device.stats().launches > 0);
            return found;
        });
    return same && tidy;
}

/// k from all kinds of folds.
index_t some_k(std::size_t turn, std::size_t points) {
    index_t const ks[]{1, 7, 16, 33, index_t(points + 5)};
    return ks[turn % 5];
}

template <int D, class T>
void check_knn_kinds(Comm& comm, std::vector<std::size_t> const& sizes, bool periodic = false) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto input, std::size_t turn) {
        std::vector<double> box;
        if (periodic) {
            for (auto& row : input.rows)  // into it
                for (T& x : row) x = std::isfinite(x) ? x - std::floor(x) : T(0);
            box = {1};
            if (turn % 2) box = std::vector<double>(D), box[0] = 1;  // on one axis
        }
        CHECK(same_knn_as_alone<D, T>(
            comm, input, nullptr,
            {.k = some_k(turn, input.rows.size()), .exclude_self = (turn + 1) % 3 == 0, .box = box}));
    });
}

}  // namespace

TEST_CASE("kNN on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_knn_kinds<3, float>(comm, {0, 1, 2, 30, 300});
    check_knn_kinds<2, double>(comm, {300});
    check_knn_kinds<1, double>(comm, {100});
    check_knn_kinds<2, float>(comm, {200});  // trees get a column more on their way to the device
}

TEST_CASE("kNN on ranks with devices: periodic on all axes, and on one") {
    Comm comm(world());
    check_knn_kinds<3, float>(comm, {200}, true);
    check_knn_kinds<2, double>(comm, {200}, true);
}

TEST_CASE("kNN on ranks with devices: queries, anywhere") {
    Comm comm(world());
    for_inputs<3, float>(comm, {1, 30, 2000}, 3, [&](auto const& sources, std::size_t turn) {
        std::size_t const n = turn % 5 == 0 ? 0 : 150;
        Input<3, float> queries{
            ::test::make_points<3, float>(turn % 2 ? "uniform" : "clustered", n, turn + 5),
            spread(spreads()[(turn + 3) % spreads().size()], n, comm.size())};
        if (turn % 3 == 0)
            for (std::size_t i = 0; i < n; ++i)
                queries.rows[i] = sources.rows[i * 7 % sources.rows.size()];
        CHECK(same_knn_as_alone<3, float>(comm, sources, &queries,
                                          {.k = some_k(turn, sources.rows.size())}));
    });
}

TEST_CASE("kNN on ranks with devices: an index, which stays") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("clustered", 3000, 7),
                                spread("uneven", 3000, comm.size())};
    auto const own = input.of(comm.rank());
    RankIndex<float> const index(own, {.box = {2}}, world(), Cpu(1));
    auto const expected = knn(index, {.k = 5});
    HostDevice<> device;
    for (int times = 0; times < 2; ++times) {
        auto const found = knn_on<float>(device, comm, index, nullptr, {.k = 5});
        CHECK(found.indices == expected.indices);
        CHECK(found.distances == expected.distances);
    }
    CHECK(knn_on<float>(device, comm, index, &own, {.k = 5}).indices ==
          knn(index, own, {.k = 5}).indices);
}

TEST_CASE("kNN on ranks with devices: visits see what those of one process do") {
    Comm comm(world());
    auto const check = [&](auto const& sources, Input<3, float> const* asking, KnnOptions const& o) {
        HostDevice<> device;
        device.budget = 4000;  // several chunks
        Points<float> const queries = asking ? asking->of(comm.rank()) : Points<float>{};
        CHECK(same_visits<3, float>(comm, sources, asking, o, [&](auto const& keep) {
            return visits_on(device, comm, sources.of(comm.rank()), asking ? &queries : nullptr, o,
                             detail::rank_chunk_visitor<float, HostDevice<>>(keep));
        }));
        CHECK(device.bytes_in_use() == 0);
    };
    for_inputs<3, float>(comm, {0, 2, 250}, 1, [&](auto const& input, std::size_t turn) {
        KnnOptions const o{.k = turn % 3 ? 5 : 40, .exclude_self = turn % 2 == 0};
        check(input, nullptr, o);
        check(input, nullptr, {.k = o.k, .exclude_self = o.exclude_self, .order = Order::z});
        Input<3, float> const asking{::test::make_points<3, float>("uniform", 70, turn),
                                     spread("uneven", 70, comm.size())};
        check(input, &asking, {.k = 2});
        check(input, &asking, {.k = 300, .order = Order::z});
    });
    check(points_for(comm, "clustered", 400, 5), nullptr, {.k = 300});  // in a heap
}

TEST_CASE("rows go home straight from devices, whatever their width and the size of messages") {
    for (std::size_t const bytes : {std::size_t(100), std::size_t(1) << 30}) {
        Comm comm(straight(bytes));
        HostDevice<> device;
        Cpu const cpu(2);
        for (std::size_t const width : {1, 3, 50}) {
            auto const input = points_for(comm, "uniform", 300, int(width));
            auto const own = input.of(comm.rank());
            auto const sorted = z_sort(comm, cpu, own);
            auto const check = [&]<class V>(V) {
                Buffer<V> rows(sorted.points().size * width), expected(own.size * width);
                for (std::size_t i = 0; i < rows.size(); ++i)
                    rows[i] = V(sorted.input_index[i / width] * 1000 + index_t(i % width));
                home(comm, cpu, sorted.travel, std::span<V const>(rows), std::span<V>(expected), width);
                auto const there = copy_to(device, rows);
                CHECK(detail::home_from(device, comm, cpu, sorted.travel, there, own.size, width) ==
                      expected);
                // A few rows that stay on a rank at a time, or one.
                for (std::size_t const kept : {1, 1000}) {
                    detail::DeviceRows<V, HostDevice<>> from(device, cpu, there, width,
                                                             sorted.travel.position, kept);
                    Buffer<V> by_row(own.size * width);
                    detail::carry(
                        comm, cpu, sorted.travel.routes.back(), width * sizeof(V), from,
                        {reinterpret_cast<std::byte*>(by_row.data()), sorted.travel.row.data()});
                    CHECK(by_row == expected);
                }
            };
            check(index_t());
            check(float());
        }
    }
}

TEST_CASE("kNN on ranks with devices: results that could leave them straight, and don't, are the same") {
    Comm comm(world()), straight_comm(straight());
    auto const input = points_for(comm, "clustered", 200, 3),
               asking = points_for(comm, "uniform", 100, 4);
    auto const own = input.of(comm.rank()), queries = asking.of(comm.rank());
    auto const try_steps = [](std::vector<StepStats> const& steps) {
        return std::count_if(steps.begin(), steps.end(),
                             [](auto const& step) { return std::string(step.name) == "try"; });
    };
    KnnOptions const o{.k = 8};
    HostDevice<> device;
    auto const in_batches = [&](Comm& on) {
        std::vector<index_t> all;
        TakeKnnBatch<float> const take = [&](KnnBatch<float>& batch) {
            CHECK(batch.batches > 1);
            all.insert(all.end(), batch.indices.begin(), batch.indices.end());
        };
        (void)detail::run_on_ranks<detail::KnnBatchesAlgorithm>(on, Cpu(1), rank_place_of<float>(device),
                                                                detail::RankInput<float>(own), &queries,
                                                                {o, 2000, &take});
        return all;
    };
    CHECK(in_batches(straight_comm) == in_batches(comm));
    auto const z = knn_on<float>(device, straight_comm, own, nullptr, {.k = 8, .order = Order::z});
    CHECK(z.indices == knn_on<float>(device, comm, own, nullptr, {.k = 8, .order = Order::z}).indices);
    CHECK(try_steps(z.stats.steps) == 0);
    RankIndex<float> const index(own, {}, straight(), Cpu(1));
    auto const found = knn_on<float>(device, straight_comm, index, &queries, o);
    CHECK(found.indices == knn_on<float>(device, comm, own, &queries, o).indices);
    CHECK(try_steps(found.stats.steps) == (comm.size() > 1));
}

namespace {
/// Another memory than it seems: a library that takes one for the other sends what isn't there.
struct Garbling : HostDevice<> {
    bool wrong = false;
    void upload(index_t* to, index_t const* from, std::size_t n) {
        HostDevice<>::upload(to, from, n);
        if (wrong) ++to[n - 1];
    }
    void upload(pos_t* to, pos_t const* from, std::size_t n) { HostDevice<>::upload(to, from, n); }
};
}  // namespace

TEST_CASE("messages that don't leave a device as they should are refused on all ranks") {
    Comm comm(straight());
    Garbling device;
    Cpu const cpu(1);
    CHECK(thrown_by([&] { detail::check_gpu_aware(device, comm, cpu); }) == "nothing");
    CHECK(thrown_by([&] { detail::check_gpu_aware(device, comm, cpu, comm.rank() != comm.size() / 2); })
              .starts_with(
                  "InputError: this MPI library can't read the memory of a GPU; without gpu_aware"));
    device.wrong = comm.rank() == comm.size() - 1;
    CHECK(
        thrown_by([&] {
            detail::check_gpu_aware(device, comm, cpu);
        }).starts_with("InputError: messages from the memory of a GPU don't arrive as they were sent"));
}

TEST_CASE("kNN on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "clustered", 200, 3),
               asking = points_for(comm, "uniform", 150, 4);
    auto const own = input.of(comm.rank()), queries = asking.of(comm.rank());
    auto const words = std::string("Error: ") + device_memory_words;
    check_failures<OfDevice>(comm, words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto r = knn_on<float>(device, comm, own, nullptr, {.k = 8});
        return std::pair(std::move(r.indices), std::move(r.distances));
    });
    Comm straight_comm(straight());
    check_failures<OfDevice>(straight_comm, words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto r = knn_on<float>(device, straight_comm, own, nullptr, {.k = 8});
        return std::pair(std::move(r.indices), std::move(r.distances));
    });
    check_failures<OfDevice>(comm, words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        SeenRows<float> seen;
        std::mutex lock;
        (void)visits_on(device, comm, own, nullptr, {.k = 8},
                        detail::rank_chunk_visitor<float, HostDevice<>>(Seen<float>{&seen, &lock}));
        return seen;
    });
    check_failures<OfDevice>(comm, words, [&] {
        HostDevice<> device(std::make_shared<LimitedMemory>());
        auto r = knn_on<float>(device, comm, own, &queries, {.k = 8, .order = Order::z});
        return std::pair(std::move(r.indices), std::move(r.row_order));
    });

    HostDevice<> device;
    if (comm.rank() == 0) device.memory_size = 1000;
    auto const refusal = thrown_by([&] { (void)knn_on<float>(device, comm, own, nullptr, {.k = 8}); });
    CHECK(refusal.starts_with("Error: kNN of "));
    CHECK(refusal.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
}

namespace {
/// Bytes of a device: the least that a call isn't refused for, to 1000 bytes, and what it takes.
struct Need {
    std::uint64_t predicted, peak;
};
/// @param call  collective; all ranks' devices are alike
template <class F>
Need need_of(F const& call) {
    std::uint64_t refused = 0, enough = std::uint64_t(1) << 30;
    while (enough - refused > 1000) {
        auto const half = (refused + enough) / 2;
        HostDevice<> device;
        device.memory_size = half;
        (thrown_by([&] { call(device); }) == "nothing" ? enough : refused) = half;
    }
    HostDevice<> device;
    call(device);
    return {enough, device.stats().peak_bytes};
}
}  // namespace

TEST_CASE("kNN on ranks with devices: names, and what messages are packed in, are predicted, too") {
    Comm comm(world()), straight_comm(straight());
    auto const input = points_for(comm, "uniform", 3000, 3);
    auto const own = input.of(comm.rank());
    KnnOptions const o{.k = 20};
    auto const rows = [&](Comm& on) {
        return need_of([&](HostDevice<>& device) { (void)knn_on<float>(device, on, own, nullptr, o); });
    };
    auto const without_names = need_of([&](HostDevice<>& device) {
        (void)detail::run_on_ranks<detail::ReduceAlgorithm>(comm, Cpu(1), rank_place_of<float>(device),
                                                            detail::RankInput<float>(own), nullptr,
                                                            {o, Reduction::radius});
    });
    auto const visits = need_of([&](HostDevice<>& device) {
        (void)visits_on(device, comm, own, nullptr, o,
                        [](HostDevice<>&, detail::NeighbourChunk<float> const&, index_t const*) {});
    });
    auto const copied = rows(comm), sent = rows(straight_comm);
    CHECK(visits.peak > without_names.peak);
    CHECK(visits.peak - without_names.peak <= visits.predicted + 1000 - without_names.predicted);
    CHECK(sent.peak <= copied.peak + (sent.predicted + 1000 - copied.predicted));
    CHECK((sent.predicted > copied.predicted) == (comm.size() > 1));
}

TEST_CASE("kNN on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    HostDevice<> device;
    CHECK(thrown_by([&] {
              (void)knn_on<float>(device, comm, own, nullptr, {.k = 0});
          }).starts_with("InputError: k must be"));
    if (comm.size() > 1)
        CHECK(thrown_by([&] {
                  Cpu threads(1);
                  if (comm.rank() == 1) (void)knn_on<float>(device, comm, own, nullptr, {});
                  else (void)knn_on<float>(threads, comm, own, nullptr, {});
              }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");
    CHECK(thrown_by([&] {
              (void)visits_on(device, comm, own, nullptr, {.k = 2},
                              [&](HostDevice<>&, detail::NeighbourChunk<float> const&, index_t const*) {
                                  if (comm.rank() == comm.size() - 1) throw Error("not for us");
                              });
          }) == "Error: not for us");
    if (comm.size() > 1)
        CHECK(thrown_by([&] {
                  Comm some(comm.rank() == 1 ? straight() : world());
                  (void)knn_on<float>(device, some, own, nullptr, {});
              }) == "InputError: ranks disagree on gpu_aware (false on rank 0, true on rank 1)");
    Cuda const none{.device = 100};
    auto const no_device = thrown_by([&] { (void)open_cuda(none); });
    RankIndex<float> const index(own, {}, world(), Cpu(1));
    CHECK(thrown_by([&] { (void)knn(own, {}, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)knn(own, own, {}, world(), none); }) == no_device);
    CHECK(thrown_by([&] {
              if (comm.rank() == 0) (void)knn(own, {}, world(), none);
              else (void)knn(own, {}, world(), Cpu(1));
          }) == no_device);
    CHECK(thrown_by([&] { (void)knn(index, {}, none); }) == no_device);
    CHECK(thrown_by([&] { (void)knn(index, own, {}, none); }) == no_device);
}
