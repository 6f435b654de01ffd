// What fails on one rank fails on all: memory, and hooks of users, at whatever point of a walk by the front door. None hangs, and
// the next call is as good as ever.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "ranks/failing.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/radius/trait.hpp"
#include "zwalk/run/mpi.hpp"
#include "zwalk/run/rank_index.hpp"

using namespace zwalk;
using namespace zwalk::test;
using namespace zwalk::examples;

namespace {

/// Hooks of users, where they are called: see Limit.
struct Hooks {};
constexpr auto* hook_words = "a hook gave up";
void call_hook() {
    if (!Limit<Hooks>::attempt()) throw std::runtime_error(hook_words);
}
template <class F>
void check_hooks(Comm& comm, F const& f) {
    check_failures<Hooks>(comm, std::string("Error: ") + hook_words, f);
}

/// A fold, and whatever goes with it.
struct Brighter : NearestBrighter {
    using Base = NearestBrighter;

    Lights summarize(Point const& p) const { return call_hook(), Base::summarize(p); }
    Lights merge(Lights a, Lights b) const { return call_hook(), Base::merge(a, b); }
    Decision decide(Node const& t, Node const& s, Bounds d) const {
        return call_hook(), Base::decide(t, s, d);
    }
    Reach reach_begin(Node const& t) const { return call_hook(), Base::reach_begin(t); }
    void reach_add(Reach& r, Node const& t, Node const& s, Bounds d) const {
        call_hook(), Base::reach_add(r, t, s, d);
    }
    Key<float> reach_end(Reach const& r, Node const& t) const {
        return call_hook(), Base::reach_end(r, t);
    }
    Fold begin(Target const& p, State s) const { return call_hook(), Base::begin(p, s); }
    void visit(Fold& best, Target const& p, Point const& q, float d2) const {
        call_hook(), Base::visit(best, p, q, d2);
    }
    Key<float> horizon(Fold const& best) const { return call_hook(), Base::horizon(best); }
    void end(Fold const& best, Target const& p) const { call_hook(), Base::end(best, p); }
};

/// States, which come down the tree.
struct Counted : RadiusCount<3, float> {
    using Base = RadiusCount<3, float>;

    size_type top_state() const { return call_hook(), Base::top_state(); }
    size_type inherit(size_type n, Node const& parent, Node const& child) const {
        return call_hook(), Base::inherit(n, parent, child);
    }
    void absorb(size_type& n, Node const& t, Node const& s, Range<float> d) const {
        call_hook(), Base::absorb(n, t, s, d);
    }
};

/// Symmetric pairs.
struct Pairs : PairCounts<3, float, 2> {
    using Base = PairCounts<3, float, 2>;

    float cutoff2() const { return call_hook(), Base::cutoff2(); }
    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        return call_hook(), Base::decide(t, s, d);
    }
    void accept(Node const& t, Node const& s, Range<float> d, auto& sink) const {
        call_hook(), Base::accept(t, s, d, sink);
    }
    template <class V>
    void pair(Point const& p, auto const& q, V d2, auto& sink) const {
        call_hook(), Base::pair<V>(p, q, d2, sink);
    }
};
constexpr float edges2[] = {0, 1e-3f, 1e-2f};

/// What a visitor, or an output of nearest(), writes down.
struct Nearest1 {
    float* d2;
    void operator()(auto const& point, auto const& found) const {
        call_hook();
        found.each([&](int, auto key) { d2[point.index] = key.d2; });
    }
};

std::vector<Star> stars_of(std::size_t n) {
    std::vector<Star> stars(n);
    for (std::size_t i = 0; i < n; ++i) stars[i].light = float(i * 7919 % 101);
    return stars;
}

}  // namespace

TEST_CASE("no memory on one rank: the front door") {
    MpiRanks place(world(), Cpu(2));
    auto& comm = place.comm();
    auto const input = points_for(comm, "uniform", 300, 6), others = points_for(comm, "uniform", 200, 7);
    auto const own = input.of(place.rank()), targets = others.of(place.rank());
    auto const stars = stars_of(own.size);
    check_memory(comm, [&] { return make_tree<3>(place, own).size(); });
    auto const tree = make_tree<3>(place, own);
    auto const asking = tree.targets(targets);
    check_memory(comm, [&] { return tree.targets(targets).size(); });
    check_memory(comm, [&] { return tree.payload(stars).view()[0].light; });
    auto const payload = tree.payload(stars);
    check_memory(comm, [&] {
        auto all = tree.array<pos_t>();
        NearestBrighter trait;
        trait.brighter = all.data();
        tree.walk(trait, payload);
        return tree.rows_at(all);
    });
    check_memory(comm, [&] {
        auto all = asking.array<pos_t>();
        NearestBrighter trait;
        trait.brighter = all.data();
        asking.walk_against(tree, trait, payload);
        return tree.rows_at(all);
    });
    check_memory(comm, [&] { return tree.walk(Fof<3, float>(.05f)).labels; });
    check_memory(comm, [&] {  // by nodes without points
        auto count = asking.array<size_type>();
        RadiusCount<3, float> trait;
        trait.radius2 = .1f;
        trait.count = count.data();
        asking.walk_against(tree, trait);
        return count.in_input_order();
    });
    check_memory(comm, [&] {
        auto near = asking.lists_against<ListOrder::nearest>(tree, WithinRadius<3, float>(.1f));
        return std::tuple(std::move(near.offsets), std::move(near.rows), std::move(near.distances));
    });
    check_memory(comm, [&] {
        auto d2 = asking.array<float>();
        asking.nearest_of(tree, {.k = 3}, Nearest1{d2.data()});
        return d2.in_input_order();
    });
}

TEST_CASE("hooks throw on one rank") {
    MpiRanks place(world(), Cpu(2));
    auto& comm = place.comm();
    auto const input = points_for(comm, "uniform", 100, 8);
    auto const own = input.of(place.rank());
    auto const tree =
        make_tree<3>(place, own, {.tree = {.leaf_size = 8, .coarsening = 3, .top_nodes = 4}});
    auto const payload = tree.payload(stars_of(own.size));
    check_hooks(comm, [&] {
        auto brighter = tree.array<pos_t>();
        Brighter trait;
        trait.brighter = brighter.data();
        tree.walk(trait, payload);
        return tree.rows_at(brighter);
    });
    check_hooks(comm, [&] {
        auto count = tree.array<size_type>();
        Counted trait;
        trait.radius2 = .1f;
        trait.count = count.data();
        tree.walk(trait);
        return count.in_input_order();
    });
    check_hooks(comm, [&] {
        Pairs trait;
        std::copy_n(edges2, 3, trait.edge2);
        auto const total = tree.walk(trait).total;
        return std::vector(total.pairs, total.pairs + 2);
    });
    check_hooks(comm, [&] {
        auto d2 = tree.array<float>();
        tree.nearest({.k = 1, .exclude_self = true}, Nearest1{d2.data()});
        return d2.in_input_order();
    });
    check_hooks(comm, [&] {
        return knn_visit(
                   own, [](index_t, auto const&) { call_hook(); }, {.k = 3}, world(), Cpu(2))
            .rows;
    });
    check_hooks(comm, [&] {
        auto const f = [](pos_t position) { return call_hook(), position; };
        return tree.array<pos_t>(3).map_to_input_order(f);
    });
}
