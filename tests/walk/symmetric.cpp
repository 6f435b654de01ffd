// A symmetric trait that uses what the other ones don't: displacements, a metric, summaries, no cutoff.
#include "support/everywhere.hpp"

using namespace test;

namespace {

struct Charge {
    std::int64_t amount;
};

/// Sums over all pairs, the first point of each being the one that is first in z-order: the product of
/// charges, by whether the second point lies to the right of the first. Nodes that one axis separates
/// are accepted as a whole.
template <int D, class T>
struct ChargeFlow : Types<D, T, Charge, Charge> {
    using Base = Types<D, T, Charge, Charge>;
    using typename Base::Bounds, typename Base::Node, typename Base::Point;
    static constexpr Uses uses{
        .metric = true, .summary = true, .total = true, .symmetric = true, .displacement = true};
    T far2 = 1;  ///< nodes further apart than this count as no further apart, and aren't opened

    struct Total {
        std::int64_t right = 0, other = 0, far = 0;
        friend bool operator==(Total const&, Total const&) = default;
    };
    ZWALK_HD void combine(Total& a, Total const& b) const {
        a.right += b.right;
        a.other += b.other;
        a.far += b.far;
    }
    Charge summarize(Point const& p) const { return p.payload; }
    Charge merge(Charge a, Charge b) const { return {a.amount + b.amount}; }
    Bounds metric(Node const&, Node const&, Bounds d) const {
        return {min_of(d.lo2, far2), min_of(d.hi2, far2)};
    }
    Decision decide(Node const& t, Node const& s, Bounds d) const {
        return t.index != s.index && d.lo2 >= far2 ? Decision::accept : Decision::descend;
    }
    void accept(Node const& t, Node const& s, Bounds, auto& sink) const {
        sink.total().far += t.summary.amount * s.summary.amount;
    }
    void pair(Point const& p, Point const& q, T d2, Vec<D, T> dx, auto& sink) const {
        Total& sum = sink.total();
        (d2 >= far2  ? sum.far
         : dx[0] > 0 ? sum.right
                     : sum.other) += p.payload.amount * q.payload.amount;
    }
};

template <int D, class T, class Space>
void check_flow(Space const& space, Rows<D, T> const& rows, T far2) {
    using Trait = ChargeFlow<D, T>;
    std::vector<Charge> charge(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) charge[i] = {std::int64_t(i % 7) - 3};
    Cpu const cpu(1);
    auto const order = listed(build_tree(cpu, view<D>(rows), D).input);
    typename Trait::Total expected;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = i + 1; j < rows.size(); ++j) {
            Vec<D, T> p, q;
            for (int a = 0; a < D; ++a) p[a] = rows[order[i]][a], q[a] = rows[order[j]][a];
            bool const far = distance2(space, p, q) >= far2;
            bool const right = displacement(space, p, q)[0] > 0;
            (far     ? expected.far
             : right ? expected.right
                     : expected.other) += charge[order[i]].amount * charge[order[j]].amount;
        }
    check_everywhere(expected, [&](Cpu const& own, TreeOptions const& o, auto const& walker) {
        auto const tree = build_tree(own, view<D>(rows), D, o);
        Columns<Charge> const payload(charge, tree.input);
        typename Trait::Total total;
        Trait trait;
        trait.far2 = far2;
        WalkInputs<Trait> inputs{payload.view(), payload.view()};
        inputs.total = &total;
        walker(trait, space, tree, tree, inputs);
        return total;
    });
}

}  // namespace

TEST_CASE("symmetric walks: displacements, metric, summaries") {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line", "equal"}) {
        CAPTURE(kind);
        check_flow<3, float>(Open<3, float>{}, make_points<3, float>(kind, 300, 3), .1f);
        check_flow<2, double>(Periodic<2, double>{{1, infinity<double>}},
                              make_points<2, double>(kind, 300, 3), .05);
    }
}
