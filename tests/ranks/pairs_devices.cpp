// Pair counts of points that are spread over ranks with a device each: those of one process on threads, and the same sums, bit for
// bit. The devices are those of the host.
#include <doctest/doctest.h>

#include <cmath>

#include "pairs/src/driver.hpp"
#include "pairs/src/meeting.hpp"
#include "ranks/alone.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/run/rank_calls.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

constexpr TreeOptions small_nodes{.leaf_size = 8, .coarsening = 3, .top_nodes = 4};

/// What the public functions do for a GPU.
template <class T>
PairCounts pairs_on(HostDevice<>& device, Comm& comm, Points<T> own,
                    std::type_identity_t<Points<T>> const* second, PairOptions const& o) {
    return detail::run_on_ranks<detail::PairsAlgorithm>(comm, Cpu(1), rank_place_of<T>(device),
                                                        detail::RankInput<T>(own), second, o);
}

template <int D, class T>
bool same_pairs_as_alone(Comm& comm, Input<D, T> const& input, Input<D, T> const& others,
                         PairOptions const& o) {
    HostDevice<> device;
    bool tidy = true;
    bool const same = same_pair_counts(
        comm, input, others, o, [&](Points<T> own, Points<T> const* second, PairOptions const& asked) {
            device.budget = second ? 4000 : 0;  // lists in pieces
            auto found = pairs_on(device, comm, own, second, asked);
            tidy = tidy && device.bytes_in_use() == 0 &&
                   (own.size == 0 || comm.size() > 1 || device.stats().launches > 0);
            return found;
        });
    return same && tidy;
}

template <int D, class T>
void check_pairs_kinds(Comm& comm, std::vector<std::size_t> const& sizes, PairOptions o,
                       bool periodic = false) {
    o.tree = small_nodes;
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto input, std::size_t turn) {
        if (periodic) {
            for (auto& row : input.rows)  // into it
                for (T& x : row) x = std::isfinite(x) ? x - std::floor(x) : T(0);
            o.box = turn % 2 ? std::vector<double>{1} : std::vector<double>(D, 0.);
            if (turn % 2 == 0) o.box[0] = 1;  // on one axis
        }
        Input<D, T> const others{::test::make_points<D, T>("uniform", 90, turn),
                                 spread("uneven", 90, comm.size())};
        CHECK(same_pairs_as_alone<D, T>(comm, input, others, o));
    });
}

}  // namespace

TEST_CASE("pairs on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_pairs_kinds<3, float>(comm, {0, 1, 2, 300}, {.edges = {0, .05, .2, 1.5}});
    check_pairs_kinds<2, double>(comm, {200}, {.edges = {.01, .3}});
    check_pairs_kinds<2, float>(comm, {100},
                                {.edges = {0, .1, .4}});  // trees get a column more on the way
}

TEST_CASE("pairs on ranks with devices: bins of two numbers") {
    Comm comm(world());
    check_pairs_kinds<3, float>(
        comm, {0, 1, 150},
        {.edges = {0, .1, .3}, .bins = PairBins::rp_pi, .los_edges = {0, .1, .4}, .line_of_sight = 1});
    check_pairs_kinds<2, double>(
        comm, {100}, {.edges = {.01, .1, .3}, .bins = PairBins::s_mu, .los_edges = {0, .5, 1}});
    check_pairs_kinds<3, float>(
        comm, {100}, {.edges = {.01, .1, .3}, .bins = PairBins::s_mu, .los_edges = {0, .5, 1}}, true);
}

TEST_CASE("pairs on ranks with devices: periodic on all axes, and on one") {
    Comm comm(world());
    check_pairs_kinds<3, float>(comm, {200}, {.edges = {0, .05, .2, .7}}, true);
    check_pairs_kinds<2, double>(comm, {150}, {.edges = {0, .1, .3}}, true);
}

TEST_CASE("pairs on ranks with devices: more bins than one walk counts") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 400, 4),
                                spread("none on the last", 400, comm.size())},
        others{::test::make_points<3, float>("uniform", 200, 5), spread("uneven", 200, comm.size())};
    PairOptions o{.edges = {0}, .box = {1, 1, 0}};
    for (int i = 1; i <= 130; ++i) o.edges.push_back(i * .003);
    CHECK(same_pairs_as_alone(comm, input, others, o));
    o.bins = PairBins::rp_pi;
    o.edges.resize(20);
    for (int i = 0; i <= 60; ++i) o.los_edges.push_back(i * .005);
    CHECK(same_pairs_as_alone(comm, input, others, o));
}

TEST_CASE("pairs on ranks with devices: nodes in one bin come as numbers") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 20000, 7),
                                spread("even", 20000, comm.size())},
        others{::test::make_points<3, float>("clustered", 1000, 8), spread("even", 1000, comm.size())};
    HostDevice<> device;
    auto const found = pairs_on<float>(device, comm, input.of(comm.rank()), nullptr, {.edges = {0, 9}});
    for (auto const& [name, count] : found.stats.counts)
        if (name == "imported") CHECK(count < 20000);
    CHECK(found.counts.at(0) == 20000ll * 19999);
    CHECK(same_pairs_as_alone(comm, others, others, {.edges = {.01, .5, 9}}));
}

TEST_CASE("pairs on ranks with devices: what one of them has no memory for fails on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 150, 5),
               others = points_for(comm, "clustered", 50, 6);
    auto const own = input.of(comm.rank()), second = others.of(comm.rank());
    auto const weights = some_weights(own.size, 3);
    PairOptions const o{.edges = {0, .05, .3}, .weights = weights};
    for (auto const* const with : {static_cast<Points<float> const*>(nullptr), &second})
        check_failures<OfDevice>(comm, std::string("Error: ") + device_memory_words, [&] {
            HostDevice<> device(std::make_shared<LimitedMemory>());
            auto r = pairs_on<float>(device, comm, own, with, o);
            return std::pair(std::move(r.counts), std::move(r.weighted));
        });
    check_memory(comm, [&] {
        HostDevice<> device;
        return pairs_on<float>(device, comm, own, nullptr, o).counts;
    });

    HostDevice<> device;
    if (comm.rank() == comm.size() - 1) device.memory_size = 1000;
    auto const words = thrown_by([&] { (void)pairs_on<float>(device, comm, own, nullptr, o); });
    CHECK(words.starts_with("Error: pair counts of "));
    CHECK(words.find("and 1e-06 GB are free") != std::string::npos);
    CHECK(device.stats().peak_bytes == 0);  // all have looked before any took some
}

TEST_CASE("pairs on ranks with devices: refusals are the same on all") {
    Comm comm(world());
    auto const input = points_for(comm, "uniform", 50, 7);
    auto const own = input.of(comm.rank());
    PairOptions const o{.edges = {0, .1}};
    HostDevice<> device;
    PairOptions two = o;
    two.bins = PairBins::s_mu, two.los_edges = {0, 2};
    CHECK(thrown_by([&] { (void)pairs_on<float>(device, comm, own, nullptr, two); }) ==
          "InputError: mu is at most 1, but los_edges go up to 2");
    for (StepStats const& step : comm.stats())  // before any point travelled
        CHECK(std::string_view(step.name) != "points");
    Cuda const none{.device = 100};
    auto const no_device = thrown_by([&] { (void)open_cuda(none); });
    CHECK(thrown_by([&] { (void)pair_counts(own, o, world(), none); }) == no_device);
    CHECK(thrown_by([&] { (void)pair_counts(own, own, o, world(), none); }) == no_device);
    if (comm.size() == 1) return;
    CHECK(thrown_by([&] {
              if (comm.rank() == 1) {
                  Comm own_comm(world());  // as the public functions make one
                  (void)pairs_on<float>(device, own_comm, own, nullptr, o);
              } else (void)pair_counts(own, o, world(), Cpu(1));
          }) == "InputError: ranks disagree on the place (threads on rank 0, a device on rank 1)");
}
