// Whether targets have enough neighbours: on all groups and trees, and on sources that were put together from parts.
#include "support/parts.hpp"

#include "knn/check.hpp"

#include "zwalk/dbscan/trait.hpp"

using namespace test;

namespace {

template <class Space>
void check_trait(Rows<3, float> const& rows, Space const& space, float radius2, pos_t enough) {
    check_parts<3, float>(
        rows, [&](auto const& walker, auto const& tree, TargetNodes targets, pos_t begin, pos_t end) {
            std::vector<std::uint8_t> core(end - begin);
            EnoughNeighbours<3, float> trait;
            trait.radius2 = radius2;
            trait.enough = enough;
            trait.sources = tree.size();
            trait.core = core.data();
            WalkInputs<EnoughNeighbours<3, float>> inputs;
            inputs.targets = targets;
            walker(trait, space, tree, tree, inputs);
            return core;
        });
}

}  // namespace

TEST_CASE("enough neighbours: what is behind the reach is discarded, whoever else asks for it") {
    EnoughNeighbours<3, float> trait;
    trait.radius2 = 1;
    trait.enough = 5;
    trait.sources = 100;
    EnoughNeighbours<3, float>::Node target, source;
    target.state = trait.top_state();
    source.count = 5;
    CHECK(trait.decide(target, source, {.25f, 2}) == Decision::descend);
    auto reach = trait.reach_begin(target);
    CHECK(trait.reach_end(reach, target) == Key<float>{});
    trait.reach_add(reach, target, source, {.125f, .5f});
    target.reach = trait.reach_end(reach, target);
    CHECK(trait.decide(target, source, {.125f, .5f}) == Decision::accept);
    CHECK(trait.decide(target, source, {.125f, 2}) == Decision::descend);
    CHECK(trait.decide(target, source, {.25f, 2}) == Decision::discard);
    CHECK(trait.decide(target, source, {.25f, .5f}) == Decision::discard);
}

TEST_CASE("parts: enough neighbours, open and periodic") {
    for (auto const* kind : {"uniform", "clustered", "grid", "sites40", "equal"})
        for (pos_t enough : {2, 9, 60}) {
            CAPTURE(kind);
            CAPTURE(enough);
            bool const grid = kind == std::string("grid");
            check_trait(make_points<3, float>(kind, 300, 1), Open<3, float>{}, grid ? 1.f : .03f,
                        enough);
            check_trait(in_box<3, float>(kind, 300, 1, 2), Periodic<3, float>::of({1, 0, 1}), .03f,
                        enough);
        }
}
