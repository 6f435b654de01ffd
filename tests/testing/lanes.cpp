// verify() on traits with uses.lanes: right ones pass, and what only several sources at once do wrong is found.
#include <doctest/doctest.h>

#include "traits/monopole.hpp"
#include "zwalk/testing/verify.hpp"

using namespace zwalk;

namespace {

template <class T>
struct Weight {
    T w;
};

/// Number and weight of the sources within a radius.
struct Crowd : Types<3, float, Weight<float>> {
    static constexpr Uses uses{.lanes = true};
    enum Mistake { none, takes_in_nothing, joins_one_lane } mistake = none;
    float radius2 = .05f;
    pos_t* count = nullptr;
    float* least = nullptr;

    template <class V>
    struct Fold {
        V count{0}, least{2};
    };
    ZWALK_HD Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 <= radius2 ? Decision::descend : Decision::discard;
    }
    ZWALK_HD Fold<float> begin(Target const&, State) const { return {}; }
    template <class V>
    ZWALK_HD void visit(Fold<V>& a, Target const&, auto const& q, V d2) const {
        auto const in = d2 <= radius2;
        if (mistake == takes_in_nothing) a.count += 1 - select(d2 > radius2, V(1), 0);
        else a.count += select(in, V(1), 0);
        a.least = select(in, min_of(a.least, q.payload.w), a.least);
    }
    ZWALK_HD void join(Fold<float>& a, auto const& lanes) const {
        a.count += mistake == joins_one_lane ? lanes.count.lane[0] : sum_of(lanes.count);
        for (float x : lanes.least.lane) a.least = min_of(a.least, x);
    }
    ZWALK_HD void end(Fold<float> const& a, Target const& p) const {
        count[p.index] = pos_t(a.count);
        least[p.index] = a.least;
    }
};

VerifyOptions const few{.kinds = {"uniform", "clustered", "equal"}, .sizes = {0, 1, 2, 40, 150}};

testing::Report of(Crowd::Mistake mistake) {
    Crowd crowd;
    crowd.mistake = mistake;
    return verify(crowd, Outputs{&Crowd::count, &Crowd::least}, few);
}

}  // namespace

TEST_CASE("verify: leaf actions of several sources") {
    auto const right = of(Crowd::none);
    INFO(right.text());
    CHECK(right.ok());
    for (auto const mistake : {Crowd::takes_in_nothing, Crowd::joins_one_lane}) {
        CAPTURE(mistake);
        auto const report = of(mistake);
        REQUIRE(!report.ok());
        INFO(report.text());
        REQUIRE(report.findings().size() == 1);
        CHECK(report.findings().front().hook == "walk");
        CHECK(report.text().find("visit or pair of several sources, join") != std::string::npos);
    }
}

TEST_CASE("verify: gravity by lanes") {
    using Gravity = examples::MonopoleLanes<3, float>;
    Gravity gravity{};
    gravity.softening2 = 1e-3f;
    VerifyOptions options = few;
    options.tolerance = 1e-4;
    options.many = 1500;
    auto const report = verify(gravity, Outputs{&Gravity::acceleration}, options);
    INFO(report.text());
    CHECK(report.ok());
}
