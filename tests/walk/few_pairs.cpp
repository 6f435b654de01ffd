// Leaves of few pairs of points meet by these, though their trait accepts them (tuning.few_pairs).
#include "support/everywhere.hpp"

using namespace test;

namespace {

/// What a target has met: all points, and those of leaves that were accepted with few pairs of points.
struct Met {
    size_type points = 0, few = 0;
    friend bool operator==(Met const&, Met const&) = default;
};

/// Accepts whatever is further away than it is large.
template <int D, class T, pos_t most>
struct Meets : Types<D, T, Empty, Empty, Met> {
    using Base = Types<D, T, Empty, Empty, Met>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.state = true};
    static constexpr Tuning tuning{.few_pairs = most};
    static constexpr size_type few_pairs = 30;

    Met* out;

    Decision decide(Node const& t, Node const& s, Range<T> d) const {
        return t.diag2 + s.diag2 < d.lo2 ? Decision::accept : Decision::descend;
    }
    Met top_state() const { return {}; }
    Met inherit(Met const& own, Node const&, Node const&) const { return own; }
    void absorb(Met& own, Node const& t, Node const& s, Range<T>) const {
        own.points += s.count;
        if (t.plane == 0 && s.plane == 0 && size_type(t.count) * s.count <= few_pairs)
            own.few += s.count;
    }
    using Fold = Met;
    Fold begin(Target const&, Met const& own) const { return own; }
    void visit(Fold& a, Target const&, Point const&, T) const { ++a.points; }
    void end(Fold const& a, Target const& p) const { out[p.index] = a; }
};

template <pos_t most>
std::vector<Met> met(Cpu const& cpu, Rows<3, float> const& rows, TreeOptions const& options,
                     auto const& walker) {
    using Trait = Meets<3, float, most>;
    auto const tree = build_tree(cpu, view<3>(rows), 3, options);
    std::vector<Met> z(rows.size());
    Trait trait;
    trait.out = z.data();
    walker(trait, Open<3, float>{}, tree, tree, WalkInputs<Trait>{});
    return to_input(z, tree.input);
}

}  // namespace

TEST_CASE("few_pairs: leaves of few points meet by these, on every place; each point once") {
    for (auto const* kind : {"uniform", "clustered", "sites40"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 300, 3);
        check_everywhere(std::vector<Met>(rows.size(), {rows.size(), 0}),
                         [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
                             return met<Meets<3, float, 0>::few_pairs>(cpu, rows, o, walker);
                         });
    }
}

TEST_CASE("few_pairs: without, and of leaves of more points, accepts are what they were") {
    auto const rows = make_points<3, float>("clustered", 3000, 3);
    Cpu const cpu(2);
    auto const by_walk = [&](auto const&... arguments) { walk(cpu, arguments...); };
    auto const sum = [&](std::vector<Met> const& all) {
        size_type few = 0;
        for (Met const& m : all) {
            CHECK(m.points == rows.size());
            few += m.few;
        }
        return few;
    };
    cpu.run([&] {
        TreeOptions const o{.leaf_size = 8};
        size_type const none = sum(met<0>(cpu, rows, o, by_walk)),
                        some = sum(met<8>(cpu, rows, o, by_walk));
        CHECK(some > 0);
        CHECK(some < none);
    });
}
