// verify(): traits that are right pass it.
#include "zwalk/testing/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "testing/mistakes.hpp"
#include "traits/radius_lists.hpp"

using namespace zwalk;
using namespace zwalk::examples;

namespace {

void check_passes(zwalk::testing::Report const& report) {
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.sets > 20);
    CHECK(report.walks > 20 * report.sets);
}

}  // namespace

TEST_CASE("verify: the examples pass, open and in a box") {
    for (std::vector<double> const& box : {std::vector<double>{}, {1, 0, 1}}) {
        RadiusCount<3, float> count{};
        count.radius2 = .05f;
        auto const counted = verify(count, Outputs{&RadiusCount<3, float>::count}, {.box = box});
        check_passes(counted);
        CHECK(counted.decided().discarded > 1000);
        CHECK(counted.decided().accepted > 1000);
        CHECK(counted.text().find("note: ") == std::string::npos);
        // tutorial-begin verify
        auto const report = zwalk::verify(NearestBrighter{}, zwalk::Outputs{&NearestBrighter::brighter});
        // tutorial-end verify
        check_passes(report);
    }
}

TEST_CASE("verify: counts and lists, a program of two walks") {
    check_passes(verify<3, float>([](auto const& tree) {
        // tutorial-begin program
        auto counts = tree.template array<size_type>();
        RadiusCount<3, float> count;
        count.radius2 = .05f;
        count.count = counts.data();
        tree.walk(count);

        auto const in_order = counts.in_z_order();
        std::vector<size_type> offset(in_order.size() + 1);
        std::inclusive_scan(in_order.begin(), in_order.end(), offset.begin() + 1);
        std::vector<pos_t> source(offset.back());
        RadiusLists<3, float> lists;
        lists.radius2 = .05f;
        lists.offset = offset.data();
        lists.source = source.data();
        tree.walk(lists);
        for (std::size_t i = 0; i + 1 < offset.size(); ++i)  // a list has no order
            std::sort(source.begin() + long(offset[i]), source.begin() + long(offset[i + 1]));
        return std::tuple(offset, source);
        // tutorial-end program
    }));
}

TEST_CASE("verify: pair counts pass, and gravity within a tolerance") {
    check_passes(verify(test::Pairs{}, Outputs{}));
    check_passes(verify(test::Pairs{}, Outputs{}, {.box = {0, 2, 2}, .many = 1500}));
    using Gravity = Monopole<3, float>;
    Gravity gravity{};
    gravity.theta2 = .03f;
    gravity.softening2 = 1e-3f;
    check_passes(
        verify(gravity, Outputs{&Gravity::acceleration},
               {.tolerance = .1, .kinds = {"uniform", "clustered", "sites40", "equal"}, .many = 1500}));
}
