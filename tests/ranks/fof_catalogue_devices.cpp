// The catalogue on ranks that have a device each: the rows of one process, bit for bit, whoever makes them. The devices are those of
// the host.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "device/failing_memory.hpp"
#include "fof/src/rank_groups_of.hpp"
#include "ranks/alone.hpp"
#include "ranks/failing.hpp"
#include "ranks/input.hpp"
#include "ranks/on_devices.hpp"
#include "ranks/rank_catalogues.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "support/sanitized.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// What the public function does for a GPU.
template <class T>
FofWithCatalogue found_on(HostDevice<>& device, Comm& comm, Points<T> own, FofOptions const& o,
                          CatalogueOptions<T> const& catalogue) {
    return detail::groups_on_ranks<T>(comm, Cpu(1), rank_place_of<T>(device), own, o, catalogue);
}
/// largest_as_alone() of this device, which keeps nothing.
template <int D, class T>
std::optional<index_t> as_alone(HostDevice<>& device, Comm& comm, Input<D, T> const& input,
                                FofOptions const& o, std::size_t min_members,
                                BesideRows<D, T> const& beside) {
    auto const largest =
        largest_as_alone(comm, input, o, min_members, beside,
                         [&](Points<T> own, FofOptions const& groups, CatalogueOptions<T> const& c) {
                             return found_on(device, comm, own, groups, c);
                         });
    CHECK(device.bytes_in_use() == 0);
    return largest;
}
template <int D, class T>
std::optional<index_t> as_alone(Comm& comm, Input<D, T> const& input, FofOptions const& o,
                                std::size_t min_members, BesideRows<D, T> const& beside) {
    HostDevice<> device;
    return as_alone(device, comm, input, o, min_members, beside);
}

template <int D, class T>
void check_catalogue_kinds(Comm& comm, std::vector<std::size_t> const& sizes, double length) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto input, std::size_t turn) {
        FofOptions o{.linking_length = length};
        auto const beside = BesideRows<D, T>::of(input.rows.size(), turn % 2 == 0, turn % 3 != 0, turn);
        std::size_t const least = turn % 4 == 3 ? 20 : 1 + turn % 4;
        CHECK(as_alone(comm, input, o, least, beside));
        wrap<D, T>(input.rows);
        o.box = std::vector<double>(D, 1.);
        o.box.back() = turn % 2 ? 1 : 0;
        CHECK(as_alone(comm, input, o, least, beside));
    });
}

/// Clustered points in a periodic box, with masses and velocities.
struct ClusterGroups {
    Input<3, float> input;
    BesideRows<3, float> beside;
    FofOptions groups{.linking_length = .02, .box = {1}};

    ClusterGroups(Comm const& comm, std::size_t n, char const* how)
        : input{::test::make_points<3, float>("clustered", n, 7), spread(how, n, comm.size())},
          beside(BesideRows<3, float>::of(n, true, true, 8)) {
        wrap<3, float>(input.rows);
    }
    [[nodiscard]] CatalogueOptions<float> options(int rank) const {
        auto const r = std::size_t(rank);
        return beside.options(2, groups.box, input.begin[r], input.begin[r + 1]);
    }
};

}  // namespace

TEST_CASE("catalogue on ranks with devices: every kind of points and spread") {
    Comm comm(world());
    check_catalogue_kinds<3, float>(comm, {2, 400}, .1);
    check_catalogue_kinds<3, float>(comm, {300}, .02);
    check_catalogue_kinds<2, double>(comm, {300}, .05);
    check_catalogue_kinds<2, float>(comm, {300}, .05);
    check_catalogue_kinds<1, double>(comm, {200}, .003);
}

TEST_CASE("catalogue on ranks with devices: tiny inputs, no groups, ranks without points") {
    Comm comm(world());
    for (std::size_t const n : {0, 1, 2, 9})
        for (auto const& how : spreads())
            for (std::size_t const least : {0, 2, 100}) {
                CAPTURE(n);
                CAPTURE(how);
                CAPTURE(least);
                Input<3, float> const input{::test::make_points<3, float>("uniform", n, 2),
                                            spread(how, n, comm.size())};
                for (std::vector<double> const& box : {std::vector<double>{}, {1}})
                    CHECK(as_alone(comm, input, {.linking_length = .3, .box = box}, least,
                                   BesideRows<3, float>::of(n, n > 2, n > 1, 3)));
            }
}

TEST_CASE(
    "catalogue on ranks with devices: groups through many ranks, over the edge, and round the box") {
    Comm comm(world());
    for (auto const& rows : long_groups())
        for (auto const& how : ::test::some(spreads(), 3)) {
            CAPTURE(how);
            Input<2, float> const input{rows, spread(how, rows.size(), comm.size())};
            auto const beside = BesideRows<2, float>::of(rows.size(), true, true, 11);
            for (double const length : {.001, .0134, .05})
                for (std::vector<double> const& box : {std::vector<double>{}, {1, 0}})
                    CHECK(as_alone(comm, input, {.linking_length = length, .box = box}, 1, beside));
        }
}

TEST_CASE(
    "catalogue on ranks with devices: the devices make rows, and threads those for which memory is "
    "short") {
    Comm comm(world());
    ClusterGroups const clusters(comm, 1000 * std::size_t(comm.size()), "even");
    HostDevice<> groups, both;
    auto const own = clusters.input.of(comm.rank());
    (void)detail::run_on_ranks<detail::FofAlgorithm>(comm, Cpu(1), rank_place_of<float>(groups),
                                                     detail::RankInput<float>(own), nullptr,
                                                     clusters.groups);
    auto const walked = groups.stats();
    CHECK(as_alone(both, comm, clusters.input, clusters.groups, 2, clusters.beside));
    // Group order, flags and groups; slices, views, bounds, units, first moments, means, second ones, the furthest; rows.
    CHECK(both.stats().launches == walked.launches + 15);

    // On all ranks, or some, enough for walks and to sort members, and less than groups take.
    for (int const every : {1, 2}) {
        HostDevice<> small;
        bool const is_small = comm.rank() % every == 0;
        if (is_small) small.memory_size = 100000;
        CHECK(as_alone(small, comm, clusters.input, clusters.groups, 1, clusters.beside));
        bool const made_there = small.stats().launches == both.stats().launches;
        CHECK(made_there == !is_small);
    }
}

TEST_CASE("catalogue on ranks with devices: threads make it where an allocation fails, at whichever") {
    Comm comm(world());
    ClusterGroups const clusters(comm, 300 * std::size_t(comm.size()), "uneven");
    auto const own = clusters.input.of(comm.rank());
    auto const memory = std::make_shared<::test::FailingMemory>();
    HostDevice<> device(memory);
    std::uint64_t const most = std::uint64_t(1) << 40;
    auto const taken = [&](auto const& f) {
        memory->left = most;
        f();
        return most - memory->left;
    };
    std::uint64_t const walk = taken([&] {
        (void)detail::run_on_ranks<detail::FofAlgorithm>(comm, Cpu(1), rank_place_of<float>(device),
                                                         detail::RankInput<float>(own), nullptr,
                                                         clusters.groups);
    });
    std::uint64_t const all = taken(
        [&] { CHECK(as_alone(device, comm, clusters.input, clusters.groups, 2, clusters.beside)); });
    CHECK(all > walk + 20);
    for (int rank = 0; rank < comm.size(); rank += std::max(1, comm.size() - 1)) {
        std::uint64_t const step = ::test::sanitized || comm.size() > 3 ? 7 : 1;
        std::uint64_t const last = comm.broadcast(all - walk, rank);
        for (std::uint64_t left = 0; left < last; left += step) {
            CAPTURE(rank);
            CAPTURE(left);
            memory->left = comm.rank() == rank ? walk + left : most;
            memory->as_standard = left % 2 == 1;
            CHECK(as_alone(device, comm, clusters.input, clusters.groups, 2, clusters.beside));
        }
    }
}

TEST_CASE("catalogue on ranks with devices: all have looked at its memory before one takes some") {
    using Clock = std::chrono::steady_clock;  // one for all ranks of a node
    struct Timed final : detail::RowsElsewhere<float> {
        explicit Timed(int rank) : rank_(rank) {}
        [[nodiscard]] bool has_memory(detail::Particles<float> const& /*own*/) const override {
            std::this_thread::sleep_for(std::chrono::milliseconds(20 * rank_));
            looked = Clock::now().time_since_epoch().count();
            return rank_ % 2 == 0;
        }
        [[nodiscard]] std::optional<FofCatalogue> make(detail::Particles<float> const& /*own*/,
                                                       std::span<pos_t const> /*root*/,
                                                       std::size_t /*min_members*/) const override {
            taken = Clock::now().time_since_epoch().count();
            return std::nullopt;
        }
        mutable Clock::rep looked = 0, taken = std::numeric_limits<Clock::rep>::max();

      private:
        int rank_;
    };
    Comm comm(world());
    ClusterGroups const clusters(comm, 100 * std::size_t(comm.size()), "even");
    Timed const timed(comm.rank());
    Cpu threads(1);
    (void)detail::groups_on_ranks<float>(comm, threads, rank_place_of<float>(threads),
                                         clusters.input.of(comm.rank()), clusters.groups,
                                         clusters.options(comm.rank()), timed);
    constexpr auto never = std::numeric_limits<Clock::rep>::max();
    CHECK((timed.taken == never) == (comm.rank() % 2 == 1));
    auto const least = [](Clock::rep a, Clock::rep b) { return std::min(a, b); };
    auto const most = [](Clock::rep a, Clock::rep b) { return std::max(a, b); };
    CHECK(comm.reduce_all(timed.looked, most) <= comm.reduce_all(timed.taken, least));
}

TEST_CASE("catalogue on ranks with devices: what the host has no memory for fails on all") {
    Comm comm(world());
    ClusterGroups const clusters(comm, 300 * std::size_t(comm.size()), "even");
    auto const options = clusters.options(comm.rank());
    check_memory(comm, [&] {
        HostDevice<> device;
        auto r = found_on(device, comm, clusters.input.of(comm.rank()), clusters.groups, options);
        return std::tuple(std::move(r.labels), r.catalogue.rows.label, r.catalogue.rows.radius);
    });
}
