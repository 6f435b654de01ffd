// The friends-of-friends trait on every group, instruction set and tree; and the case for testing both
// diagonals.
#include "support/everywhere.hpp"

#include "fof/brute.hpp"
#include "zwalk/fof/trait.hpp"

using namespace test;

namespace {

template <int D, class T, Ways ways = Ways::all, class Space>
void check_fof(Space const& space, Rows<D, T> const& rows, T link, std::vector<double> const& box = {}) {
    check_everywhere<ways>(brute_fof(view<D>(rows), double(link), box),
                           [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
                               using Trait = Fof<D, T>;
                               auto const tree = build_tree(cpu, view<D>(rows), D, options);
                               auto group = links_init(cpu, tree.size());
                               WalkInputs<Trait> inputs;
                               inputs.links = group.data();
                               walker(Trait(link), space, tree, tree, inputs);
                               links_settle(cpu, group);
                               // From roots in z-order to the smallest input index of each group.
                               std::vector<pos_t> smallest(rows.size(), no_pos);
                               std::vector<index_t> label(rows.size());
                               for (pos_t i = 0; i < rows.size(); ++i)
                                   smallest[group[i]] = std::min(smallest[group[i]], tree.input[i]);
                               for (pos_t i = 0; i < rows.size(); ++i)
                                   label[tree.input[i]] = smallest[group[i]];
                               return label;
                           });
}

}  // namespace

TEST_CASE("FoF trait: partitions equal those over all pairs") {
    for (auto const& kind : plain_kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 350, 21);
        for (float link : {0.f, .02f, .1f, 1.f}) check_fof<3, float>(Open<3, float>{}, rows, link);
    }
    for (double link : {.01, .04, .3})
        check_fof<2, double, Ways::few>(Periodic<2, double>{{1, 1}},
                                        make_points<2, double>("uniform", 500, 4), link, {1, 1});
}

TEST_CASE("FoF trait: one diagonal within the linking length is not enough") {
    // Two pairs far apart in one cell, and a small cell whose corner is close to all of them.
    Rows<3, float> const rows{{{1.001f, 1.001f, 1.001f}},    {{1.002f, 1.001f, 1.001f}},
                              {{1.001f, 1.998f, 1.998f}},    {{1.002f, 1.998f, 1.998f}},
                              {{2.0001f, 1.5001f, 1.5001f}}, {{2.0002f, 1.5001f, 1.5001f}},
                              {{2.0001f, 1.5002f, 1.5001f}}, {{2.0002f, 1.5002f, 1.5001f}}};
    check_fof<3, float>(Open<3, float>{}, rows, 1.3f);
    Random r(7);
    for (int trial = 0; trial < 300; ++trial) {
        CAPTURE(trial);
        Rows<3, float> clumps(8 + r.below(25));
        std::array<float, 3> base{};
        for (auto& p : clumps) {
            if (r.below(3) == 0)
                for (float& x : base) x = float(1 + 2 * r.uniform());
            for (int j = 0; j < 3; ++j) p[j] = base[j] + float(.01 * r.uniform());
        }
        check_fof<3, float>(Open<3, float>{}, clumps, .2f + .1f * float(r.below(12)));
    }
}
