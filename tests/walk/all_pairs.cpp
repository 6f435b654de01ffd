// all_pairs for traits that see single points: displacements, payloads, no order.
#include "zwalk/walk/all_pairs.hpp"
#include "support/everywhere.hpp"

using namespace test;

namespace {

struct Weight {
    int weight;
};

/// Sum over all sources of weight times displacement along axis 0; exact for small integers.
template <int D, class T>
struct Pull : Types<D, T, Weight> {
    using typename Types<D, T, Weight>::Node, typename Types<D, T, Weight>::Point,
        typename Types<D, T, Weight>::Target, typename Types<D, T, Weight>::State;
    static constexpr Uses uses{.displacement = true};
    T* out;

    ZWALK_HD Decision decide(Node const&, Node const&, Range<T>) const { return Decision::descend; }
    using Fold = T;
    ZWALK_HD Fold begin(Point const&, State) const { return 0; }
    ZWALK_HD void visit(Fold& sum, Point const& p, Point const& q, T d2, Vec<D, T> dx) const {
        if (d2 > 0) sum += T(q.payload.weight - p.payload.weight) * dx[0];
    }
    ZWALK_HD void end(Fold const& sum, Target const& p) const { out[p.index] = sum; }
};

}  // namespace

TEST_CASE("all pairs: visits every pair once with its displacement and payloads") {
    for (pos_t n : {1, 9, 64, 200}) {
        Cpu const cpu(2);
        Random r(n);
        Rows<2, double> rows(n);
        std::vector<Weight> weights(n);
        for (auto& p : rows) p = {double(r.below(16)), double(r.below(16))};
        for (auto& w : weights) w.weight = int(r.below(100));
        auto const tree = cpu.run([&] { return build_tree(cpu, view<2>(rows), 2); });
        Columns<Weight> const payload(std::span<Weight const>(weights),
                                      std::span<pos_t const>(tree.input));
        Periodic<2, double> const space{{16, infinity<double>}};
        std::vector<double> expected(n), found(n, -1);
        for (pos_t i = 0; i < n; ++i)
            for (pos_t j = 0; j < n; ++j)
                expected[i] +=
                    (payload[j].weight - payload[i].weight) *
                    space.signed_axis(0, tree.points<2>().at(0, j) - tree.points<2>().at(0, i));
        Pull<2, double> trait;
        trait.out = found.data();
        for (Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
            if (isa > best_isa()) continue;
            cpu.run([&] {
                all_pairs(trait, space,
                          {tree.points<2>(), tree.points<2>(), payload.view(), payload.view()}, 2, isa);
            });
            CHECK(found == expected);
        }
    }
}
