// Accepted sources that are taken in several at once (tuning.lane_absorb): any number of them, in all ways and against brute force.
#include "support/everywhere.hpp"

using namespace test;

namespace {

/// Number of the sources within a radius, and the sum of their positions: integers, so exact in any order.
struct Crowd {
    double count = 0, positions = 0;
    friend bool operator==(Crowd const&, Crowd const&) = default;
};

template <int D, class T>
struct CrowdByLanes : Types<D, T, Empty, size_type, Crowd> {
    using Base = Types<D, T, Empty, size_type, Crowd>;
    using typename Base::Node, typename Base::Point, typename Base::Target;
    static constexpr Uses uses{.state = true, .summary = true};
    static constexpr Tuning tuning{.lane_absorb = true};

    T radius2;
    Crowd* out;

    /// Sum of positions.
    size_type summarize(Point const& p) const { return p.position; }
    size_type merge(size_type a, size_type b) const { return a + b; }
    Decision decide(Node const&, Node const&, Range<T> d) const {
        if (d.lo2 > radius2) return Decision::discard;
        return d.hi2 <= radius2 ? Decision::accept : Decision::descend;
    }
    template <class V>
    struct Accepted {
        V count{0}, positions{0};
        V target{-1};
    };
    Crowd top_state() const { return {}; }
    Crowd inherit(Crowd const& own, Node const&, Node const&) const { return own; }
    Accepted<double> accepted(Node const& t, Node const& s, Range<T>) const {
        return {double(s.count), double(s.summary), double(t.index)};
    }
    template <class V>
    void absorb(Crowd& own, Node const& t, AcceptedView<Accepted<V>> sources) const {
        V count{0}, positions{0};
        for (auto const& s : sources) {
            count += s.count;
            positions += select(s.target == V(t.index), s.positions, 0);
        }
        own.count += sum_of(count);
        own.positions += sum_of(positions);
    }
    using Fold = Crowd;
    Fold begin(Target const&, Crowd const& own) const { return own; }
    void visit(Fold& a, Target const&, Point const& q, T d2) const {
        if (!(d2 <= radius2)) return;
        a.count += 1;
        a.positions += q.position;
    }
    void end(Fold const& a, Target const& p) const { out[p.index] = a; }
};

template <int D, class T>
std::vector<Crowd> crowds(Cpu const& cpu, Rows<D, T> const& rows, T radius2, TreeOptions const& options,
                          auto const& walker) {
    auto const tree = build_tree(cpu, view<D>(rows), D, options);
    std::vector<Crowd> z(rows.size());
    CrowdByLanes<D, T> trait;
    trait.radius2 = radius2;
    trait.out = z.data();
    walker(trait, Open<D, T>{}, tree, tree, WalkInputs<CrowdByLanes<D, T>>{});
    return to_input(z, tree.input);
}
template <int D, class T>
std::vector<Crowd> brute(Rows<D, T> const& rows, T radius2) {
    Cpu const cpu(1);
    auto const tree = cpu.run([&] { return build_tree(cpu, view<D>(rows), D); });
    auto const points = tree.template points<D>();
    std::vector<Crowd> z(rows.size());
    for (pos_t i = 0; i < z.size(); ++i)
        for (pos_t j = 0; j < z.size(); ++j)
            if (distance2(Open<D, T>{}, points.point(i), points.point(j)) <= radius2)
                z[i].count += 1, z[i].positions += j;
    return to_input(z, tree.input);
}

}  // namespace

TEST_CASE("lane_absorb: exact sums equal brute force on every place and instruction set") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "equal"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 300, 3);
        check_everywhere(brute<3, float>(rows, .3f),
                         [&](Cpu const& cpu, TreeOptions const& o, auto const& walker) {
                             return crowds<3, float>(cpu, rows, .3f, o, walker);
                         });
    }
}

TEST_CASE("lane_absorb: any number of sources, few and more than are gathered at once") {
    Cpu const cpu(2);
    auto const by_walk = [&](auto const&... arguments) { walk(cpu, arguments...); };
    for (std::size_t n : {0, 1, 7, 8, 9, 63, 127, 128, 129, 255, 257, 1500}) {
        CAPTURE(n);
        auto const rows = make_points<2, double>("uniform", n, n + 1);
        for (double const radius2 : {.02, .5, 10.})
            for (pos_t leaf : {1, 8}) {
                CAPTURE(leaf);
                // All top nodes side by side: of 10 each accepts all others at once.
                TreeOptions const o{.leaf_size = leaf, .coarsening = 4, .top_nodes = 2000};
                cpu.run([&] {
                    CHECK(crowds<2, double>(cpu, rows, radius2, o, by_walk) ==
                          brute<2, double>(rows, radius2));
                });
            }
    }
}
