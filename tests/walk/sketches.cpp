// Borůvka fits the trait concept: a sketch against brute force.
#include "walk/sketches.hpp"

#include <map>

#include "support/everywhere.hpp"

using namespace test;

namespace {

template <int D, class T>
Vec<D, T> vec(std::array<T, D> const& a) {
    Vec<D, T> p;
    for (int j = 0; j < D; ++j) p[j] = a[j] + T(0);
    return p;
}

/// Weights of the minimum spanning tree by Prim's algorithm, ascending.
template <int D, class T>
std::vector<T> prim(Rows<D, T> const& rows, std::vector<T> const& core2) {
    std::size_t const n = rows.size();
    std::vector<T> best(n, infinity<T>), weights;
    std::vector<bool> in(n);
    best[0] = 0;
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t next = n;
        for (std::size_t i = 0; i < n; ++i)
            if (!in[i] && (next == n || best[i] < best[next])) next = i;
        in[next] = true;
        if (step > 0) weights.push_back(best[next]);
        for (std::size_t i = 0; i < n; ++i) {
            T const d2 = distance2(Open<D, T>{}, vec<D>(rows[next]), vec<D>(rows[i]));
            if (!in[i]) best[i] = std::min(best[i], std::max({d2, core2[next], core2[i]}));
        }
    }
    std::sort(weights.begin(), weights.end());
    return weights;
}

template <int D, class T, class Walker>
std::vector<T> boruvka(Cpu const& cpu, Rows<D, T> const& rows, std::vector<T> const& core2,
                       TreeOptions const& options, Walker const& walker) {
    using Trait = BoruvkaSketch<D, T>;
    using Edge = typename Trait::Edge;
    auto const tree = build_tree(cpu, view<D>(rows), D, options);
    auto component = links_init(cpu, tree.size());
    Links const links{component.data()};
    std::vector<T> weights;
    while (weights.size() + 1 < rows.size()) {
        std::vector<Member<T>> members(rows.size());
        for (pos_t i = 0; i < rows.size(); ++i) members[i] = {component[i], core2[tree.input[i]]};
        Columns<Member<T>> const payload(members);
        std::vector<Edge> best(rows.size());
        Trait trait;
        trait.best = best.data();
        walker(trait, Open<D, T>{}, tree, tree, WalkInputs<Trait>{payload.view(), payload.view()});
        std::map<pos_t, Edge> lightest;
        for (pos_t i = 0; i < rows.size(); ++i) {
            auto const [at, fresh] = lightest.try_emplace(component[i], best[i]);
            if (best[i] < at->second) at->second = best[i];
        }
        for (auto const& [c, e] : lightest) {
            if (links.root(e.a) == links.root(e.b)) continue;
            links.link(e.a, e.b);
            weights.push_back(e.w2);
        }
        links_settle(cpu, component);
    }
    std::sort(weights.begin(), weights.end());
    return weights;
}

}  // namespace

TEST_CASE("Borůvka rounds: weights equal Prim's, Euclidean and mutual reachability") {
    for (auto const* kind : {"uniform", "clustered", "grid", "sites40", "line"}) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 200, 31);
        std::vector<float> core2(rows.size(), 0.f);
        for (bool reachability : {false, true}) {
            if (reachability)
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    std::vector<float> d2;
                    for (auto const& q : rows)
                        d2.push_back(distance2(Open<3, float>{}, vec<3>(rows[i]), vec<3>(q)));
                    std::nth_element(d2.begin(), d2.begin() + 5, d2.end());
                    core2[i] = d2[5];
                }
            check_everywhere(prim<3>(rows, core2),
                             [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
                                 return boruvka<3>(cpu, rows, core2, options, walker);
                             });
        }
    }
}
