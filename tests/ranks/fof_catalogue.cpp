// The catalogue of groups of points that are spread over ranks: the rows of one process, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "ranks/input.hpp"
#include "ranks/rank_catalogues.hpp"
#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "zwalk/fof/fof_mpi.hpp"

using namespace zwalk;
using namespace zwalk::test;

namespace {

/// largest_as_alone() on threads.
template <int D, class T>
std::optional<index_t> as_alone(Comm& comm, Input<D, T> const& input, FofOptions const& o,
                                std::size_t min_members, BesideRows<D, T> const& beside,
                                Mpi const& mpi = world()) {
    return largest_as_alone(comm, input, o, min_members, beside,
                            [&](Points<T> own, FofOptions const& groups, CatalogueOptions<T> const& c) {
                                return fof_with_catalogue(own, groups, c, mpi, Cpu(1 + comm.rank() % 2));
                            });
}

template <int D, class T>
void check_catalogue_kinds(Comm& comm, std::vector<std::size_t> const& sizes, double length) {
    for_inputs<D, T>(comm, sizes, D + sizeof(T), [&](auto input, std::size_t turn) {
        FofOptions o{.linking_length = length};
        auto const beside = BesideRows<D, T>::of(input.rows.size(), turn % 2 == 0, turn % 3 != 0, turn);
        CHECK(as_alone(comm, input, o, 1 + turn % 4, beside));
        wrap<D, T>(input.rows);
        o.box = std::vector<double>(D, 1.);
        o.box.back() = turn % 2 ? 1 : 0;
        CHECK(as_alone(comm, input, o, 1 + turn % 4, beside));
    });
}

}  // namespace

TEST_CASE("catalogue on ranks: every kind of points and spread") {
    Comm comm(world());
    check_catalogue_kinds<3, float>(comm, {2, 400}, .1);
    check_catalogue_kinds<3, float>(comm, {300}, .02);
    check_catalogue_kinds<3, double>(comm, {600}, .15);
}

TEST_CASE("catalogue on ranks: other dimensions") {
    Comm comm(world());
    check_catalogue_kinds<1, float>(comm, {200}, .003);
    check_catalogue_kinds<2, double>(comm, {300}, .05);
    check_catalogue_kinds<5, float>(comm, {300}, .3);
}

TEST_CASE("catalogue on ranks: tiny inputs, no groups") {
    Comm comm(world());
    for (std::size_t n : {0, 1, 2, 9})
        for (auto const& how : spreads())
            for (std::size_t const least : {0, 1, 2, 100}) {
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

TEST_CASE("catalogue on ranks: groups through many ranks, over the edge, and round the box") {
    Comm comm(world());
    for (auto const& rows : long_groups())
        for (auto const& how : spreads()) {
            CAPTURE(how);
            Input<2, float> const input{rows, spread(how, rows.size(), comm.size())};
            auto const beside = BesideRows<2, float>::of(rows.size(), true, true, 11);
            index_t largest = 0;
            for (double length : {.001, .0134, .05})
                for (std::vector<double> const& box : {std::vector<double>{}, {1}, {1, 0}}) {
                    auto const found =
                        as_alone(comm, input, {.linking_length = length, .box = box}, 2, beside);
                    CHECK(found);
                    largest = std::max(largest, found.value_or(0));
                }
            CHECK(largest == index_t(rows.size()));
        }
}

TEST_CASE("catalogue on ranks: many points, and short messages") {
    Comm comm(world());
    for (auto const* kind : {"uniform", "clustered"}) {
        CAPTURE(kind);
        Input<3, float> const input{::test::make_points<3, float>(kind, 20000, 7),
                                    spread("uneven", 20000, comm.size())};
        auto const beside = BesideRows<3, float>::of(20000, true, true, 5);
        CHECK(as_alone(comm, input, {.linking_length = .012}, 2, beside));
        CHECK(as_alone(comm, input, {.linking_length = .03}, 20, beside, world(1000)));
        CHECK(as_alone(comm, input, {.linking_length = 10}, 20, beside));
    }
}

TEST_CASE("catalogue on ranks: each has about as many rows, and labels are those of fof()") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 20000, 7),
                                spread("even", 20000, comm.size())};
    for (Order const order : {Order::input, Order::z}) {
        FofOptions const o{.linking_length = .01, .order = order};
        auto const found =
            fof_with_catalogue(input.of(comm.rank()), o, {.min_members = 1}, world(), Cpu(1));
        auto const labels = fof(input.of(comm.rank()), o, world(), Cpu(1));
        CHECK(found.labels == labels.labels);
        CHECK(found.z_order == labels.z_order);
        auto const& [rows, first, size, members, first_member] = found.catalogue;
        CHECK(size > 15000);
        CHECK(rows.size() <= size / std::size_t(comm.size()) * 5 / 4);
        CHECK((rows.order.empty() && members.empty()));
    }
}

TEST_CASE("catalogue on ranks: refusals are the same on all") {
    Comm comm(world());
    Input<3, float> const input{::test::make_points<3, float>("uniform", 100, 7),
                                spread("even", 100, comm.size())};
    auto const local = input.of(comm.rank());
    auto const refusal = [&](CatalogueOptions<float> const& c) {
        return thrown_by(
            [&] { (void)fof_with_catalogue(local, {.linking_length = .1, .box = {1}}, c, world()); });
    };
    std::vector<float> masses(local.size, 1.f);
    auto velocities = ::test::make_points<3, float>("uniform", local.size, 7);
    int const last = comm.size() - 1;
    bool const mine = comm.rank() == last;
    CHECK(refusal({.masses = masses}) == "nothing");
    CHECK(refusal({.box = {2}}) == "InputError: the catalogue has another box than the groups");
    if (mine) masses.back() = 0;
    CHECK(refusal({.masses = masses}).starts_with("InputError: mass 99 is 0: masses must be"));
    if (mine) masses.pop_back();
    CHECK(refusal({.masses = masses}).find(" masses for ") != std::string::npos);
    if (last > 0) {
        if (mine) masses.clear();
        CHECK(refusal({.masses = masses}).starts_with("InputError: there are 0 masses for "));
        CHECK(refusal({.min_members = mine ? 3u : 2u})
                  .starts_with("InputError: ranks disagree on min_members (2 on rank 0, 3"));
    }
    CatalogueOptions<float> moving{.velocities = velocities};
    if (mine) velocities.back()[2] = NAN;
    CHECK(refusal(moving).find("velocities") != std::string::npos);
    CHECK(refusal(moving).find("row 99") != std::string::npos);
    if (mine) --moving.velocities.size;
    CHECK(refusal(moving).starts_with("InputError: the velocities have "));
}
