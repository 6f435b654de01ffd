// verify(): the traits of the library's own algorithms pass it.
#include <doctest/doctest.h>

#include "testing/mistakes.hpp"
#include "traits/radius_lists.hpp"
#include "walk/sketches.hpp"
#include "zwalk/dbscan/trait.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/testing/verify.hpp"

using namespace test;

namespace {

VerifyOptions const some{.sizes = {0, 1, 2, 3, 40, 100}, .many = 3000};

void check_passes(zwalk::testing::Report const& report) {
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.walks > 10 * report.sets);
}

constexpr pos_t k = 5;
struct Row {
    Key<float> key[k];
    bool operator==(Row const& o) const { return std::equal(key, key + k, o.key); }
};
struct Output {
    Row* row;
    void operator()(auto const& p, auto const& found) const {
        row[p.index] = {};
        for (int i = 0; i < int(found.size()); ++i)
            row[p.index].key[i] = {found.d2(i), found.position(i)};
    }
};

}  // namespace

TEST_CASE("verify: k nearest neighbours pass") {
    check_passes(verify<3, float>(
        [](auto const& tree) {
            auto rows = tree.template array<Row>();
            Nearest<3, float, Output> trait(attainable_k(k, tree.size()), Output{rows.data()});
            trait.exclude_self = true;
            tree.walk(trait);
            return rows.in_input_order();
        },
        some));
}

TEST_CASE("verify: friends-of-friends pass, open and in a box") {
    check_passes(verify(Fof<3, float>(.1f), Outputs{}, some));
    auto box = some;
    box.box = {1, 0, 1};
    check_passes(verify(Fof<3, float>(.1f), Outputs{}, box));
}

TEST_CASE("verify: whether points have enough neighbours passes, open and in a box") {
    for (pos_t enough : {1, 4, 30})
        for (std::vector<double> const& period : {std::vector<double>{}, {1, 0, 1}}) {
            auto here = some;
            here.box = period;
            check_passes(verify<3, float>(
                [enough](auto const& tree) {
                    auto core = tree.template array<std::uint8_t>();
                    EnoughNeighbours<3, float> trait;
                    trait.radius2 = .2f * .2f;
                    trait.enough = enough;
                    trait.sources = tree.size();
                    trait.core = core.data();
                    tree.walk(trait);
                    return core.in_input_order();
                },
                here));
        }
}

TEST_CASE("verify: a Borůvka round passes") {
    using Trait = BoruvkaSketch<3, float>;
    check_passes(verify<3, float>(
        [](auto const& tree) {
            std::vector<Member<float>> members(tree.size());
            for (pos_t i = 0; i < tree.size(); ++i) members[i] = {i / 7, .01f * float(i % 3)};
            auto best = tree.template array<typename Trait::Edge>();
            Trait trait;
            trait.best = best.data();
            tree.walk(trait, tree.payload(members));
            return best.in_input_order();
        },
        some));
}
