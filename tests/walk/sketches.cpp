// Friends-of-friends and Borůvka fit the trait concept: sketches against brute force.
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

/// Smallest input index of each point's group, over all pairs.
template <int D, class T, class Space>
std::vector<pos_t> brute_fof(Space const& space, Rows<D, T> const& rows, T link2) {
    auto parent = links_init(pos_t(rows.size()));
    Links const links{parent.data()};
    for (pos_t i = 0; i < rows.size(); ++i)
        for (pos_t j = 0; j < i; ++j)
            if (distance2(space, vec<D>(rows[i]), vec<D>(rows[j])) <= link2) links.link(i, j);
    links_settle(parent);
    return parent;
}

template <int D, class T, Ways ways = Ways::all, class Space>
void check_fof(Space const& space, Rows<D, T> const& rows, T link) {
    check_everywhere<ways>(
        brute_fof<D>(space, rows, link * link),
        [&](Cpu const& cpu, TreeOptions const& options, auto const& walker) {
            using Trait = FofSketch<D, T>;
            auto const tree = build<D, T>(cpu, view<D>(rows), options);
            auto group = links_init(tree.size());
            Trait trait;
            trait.link2 = link * link;
            WalkInputs<Trait> inputs;
            inputs.links = group.data();
            walker(trait, space, tree, tree, inputs);
            links_settle(group);
            // From roots in z-order to the smallest input index of each group.
            std::vector<pos_t> smallest(rows.size(), no_pos), label(rows.size());
            for (pos_t i = 0; i < rows.size(); ++i)
                smallest[group[i]] = std::min(smallest[group[i]], tree.input[i]);
            for (pos_t i = 0; i < rows.size(); ++i) label[tree.input[i]] = smallest[group[i]];
            return label;
        });
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
    auto const tree = build<D, T>(cpu, view<D>(rows), options);
    auto component = links_init(tree.size());
    Links const links{component.data()};
    std::vector<T> weights;
    while (weights.size() + 1 < rows.size()) {
        std::vector<Member<T>> members(rows.size());
        for (pos_t i = 0; i < rows.size(); ++i)
            members[i] = {component[i], core2[tree.input[i]]};
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
        links_settle(component);
    }
    std::sort(weights.begin(), weights.end());
    return weights;
}

}  // namespace

TEST_CASE("friends-of-friends: partitions equal those over all pairs") {
    for (auto const& kind : kinds()) {
        CAPTURE(kind);
        auto const rows = make_points<3, float>(kind, 350, 21);
        for (float link : {0.f, .02f, .1f, 1.f}) check_fof<3, float>(Open<3, float>{}, rows, link);
    }
    for (double link : {.01, .04, .3})
        check_fof<2, double, Ways::few>(Periodic<2, double>{{1, 1}},
                                        make_points<2, double>("uniform", 500, 4), link);
}

TEST_CASE("friends-of-friends: one diagonal within the linking length is not enough") {
    // Two pairs far apart in one cell, and a small cell whose corner is close to all of them.
    Rows<3, float> const rows{{{1.001f, 1.001f, 1.001f}}, {{1.002f, 1.001f, 1.001f}},
                              {{1.001f, 1.998f, 1.998f}}, {{1.002f, 1.998f, 1.998f}},
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
            check_everywhere(prim<3>(rows, core2), [&](Cpu const& cpu, TreeOptions const& options,
                                                       auto const& walker) {
                return boruvka<3>(cpu, rows, core2, options, walker);
            });
        }
    }
}
