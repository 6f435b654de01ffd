// Refusals and extents of points that are spread over ranks; options that differ.
#include "zwalk/ranks/points.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "ranks/ranks.hpp"
#include "ranks/spreads.hpp"
#include "support/points.hpp"
#include "zwalk/ranks/agree_on.hpp"
#include "zwalk/zorder/sort.hpp"

using namespace zwalk;
using namespace zwalk::test;

TEST_CASE("the first bad row of all ranks is named by its number among all, and its rank") {
    Comm comm(world());
    std::size_t const n = 20 * std::size_t(comm.size());
    auto const all = ::test::make_points<3, double>("uniform", n, 1);
    for (int bad = 0; bad < comm.size(); ++bad) {
        std::size_t const first = 20 * std::size_t(comm.rank());
        std::vector<std::array<double, 3>> rows(all.begin() + std::ptrdiff_t(first),
                                                all.begin() + std::ptrdiff_t(first) + 20);
        if (comm.rank() >= bad) rows[7][1] = std::numeric_limits<double>::quiet_NaN();
        auto const heard =
            thrown_by([&] { check_points(comm, Cpu(1), Points<double>(rows), "sources"); });
        CHECK(heard == "InputError: sources: row " + std::to_string(20 * bad + 7) +
                           ", column 1 is nan; coordinates must be finite (rank " + std::to_string(bad) +
                           ", whose first row is " + std::to_string(20 * bad) + ")");
        rows[7][1] = 0;
        CHECK(thrown_by([&] { check_points(comm, Cpu(1), Points<double>(rows)); }) == "nothing");
    }
}

TEST_CASE("shapes and types are the same on all ranks") {
    Comm comm(world());
    int const last = comm.size() - 1;
    std::vector<float> const x(12, 0.f);
    std::string const where = " on rank " + std::to_string(last) + ")";
    auto const heard = thrown_by(
        [&] { check_points(comm, Cpu(1), Points<float>(x.data(), 4, comm.rank() == last ? 2 : 3)); });
    CHECK(heard ==
          (last == 0 ? "nothing"
                     : "InputError: ranks disagree on the number of columns (3 on rank 0, 2" + where));
    CHECK(thrown_by([&] { check_points(comm, Cpu(1), Points<float>(x.data(), 4, 65)); }) ==
          "InputError: points: 65 columns; from 1 to 64 are possible (rank 0, whose first row is 0)");
    std::vector<double> const y(12, 0.);
    auto const types = thrown_by([&] {
        if (comm.rank() == last) check_points(comm, Cpu(1), Points<double>(y.data(), 4, 3));
        else check_points(comm, Cpu(1), Points<float>(x.data(), 4, 3));
    });
    CHECK(types ==
          (last == 0 ? "nothing"
                     : "InputError: ranks disagree on the type of the points (float on rank 0, double" +
                           where));
}

TEST_CASE("ranks that were asked for different things all say so") {
    Comm comm(world());
    int const last = comm.size() - 1;
    std::string const where = " on rank " + std::to_string(last) + ")";
    struct Asked {
        int k = 8;
        double length = .1;
        bool exclude_self = false;
        std::string order = "input";
        std::vector<double> box{1, 2.5};
    };
    auto const heard = [&](auto const& change) {
        Asked own;
        if (comm.rank() == last) change(own);
        return thrown_by([&] {
            agree_on(comm, {{"k", own.k},
                            {"the linking length", own.length},
                            {"exclude_self", own.exclude_self},
                            {"the order", own.order},
                            {"the box", own.box}});
        });
    };
    CHECK(heard([](Asked&) {}) == "nothing");
    CHECK(heard([](Asked& a) { a.length = .1 + 0; }) == "nothing");
    if (last == 0) return;
    std::string const words = "InputError: ranks disagree on ";
    CHECK(heard([](Asked& a) { a.k = 16; }) == words + "k (8 on rank 0, 16" + where);
    CHECK(heard([](Asked& a) { a.length = .1 + 2e-17; }) ==
          words + "the linking length (0.1 on rank 0, 0.10000000000000002" + where);
    CHECK(heard([](Asked& a) { a.exclude_self = true; }) ==
          words + "exclude_self (false on rank 0, true" + where);
    CHECK(heard([](Asked& a) { a.order = "z"; }) == words + "the order (input on rank 0, z" + where);
    CHECK(heard([](Asked& a) {
              a.box = {1, 2.5, 0};
          }) == words + "the box ([1, 2.5] on rank 0, [1, 2.5, 0]" + where);
    CHECK(heard([](Asked& a) { a.box.clear(); }) == words + "the box ([1, 2.5] on rank 0, []" + where);
    CHECK(heard([](Asked& a) { a.k = 1, a.order = "z"; }) == words + "k (8 on rank 0, 1" + where);
    // One that was asked for less.
    CHECK(thrown_by([&] {
              if (comm.rank() == 0) agree_on(comm, {{"k", 1}});
              else agree_on(comm, {{"k", 1}, {"the box", comm.size()}});
          }) == words + "the box ( on rank 0, " + std::to_string(comm.size()) + " on rank 1)");
}

TEST_CASE_TEMPLATE("the extent is that of all points", T, float, double) {
    Comm comm(world());
    for (std::string const& kind : ::test::kinds()) {
        for (std::size_t n : {std::size_t(0), std::size_t(200)}) {
            auto const all = ::test::make_points<3, T>(kind, n, 1);
            Extent<T> expected(3);
            for (auto const& p : all) expected.add(p.data());
            for (std::string const& how : spreads()) {
                auto const begin = spread(how, n, comm.size());
                auto const extent = find_extent(comm, Cpu(1), rows_of(all, begin, comm.rank()));
                CHECK(extent.lo == expected.lo);
                CHECK(extent.hi == expected.hi);
            }
        }
    }
}
