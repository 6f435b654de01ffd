// The reach fold's bound, node by node: a wrong bound can pass end-to-end tests.
#include <map>

#include "support/everywhere.hpp"
#include "support/sanitized.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/nearest/trait.hpp"

using namespace test;

namespace {

struct Seen {
    pos_t first, count;
    Key<float> reach;
};

/// Without guesses, which may be below.
using Simple = Nearest<3, float, NearestRows<float>, Candidates<float>>;

/// kNN that writes down every target node it decides for.
struct Spy : Simple {
    using Simple::Simple;
    std::vector<Seen>* seen = nullptr;
    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        // A leaf may decide on itself before anything is known.
        if (t.index != s.index) seen->push_back({t.first, t.count, t.reach});
        return Simple::decide(t, s, d);
    }
};

}  // namespace

TEST_CASE("reach: no node's bound is below the k-th key of any of its points") {
    Cpu const cpu(1);
    cpu.run([&] {
        for (auto const& kind : some(kinds(), 2))
            for (pos_t k : {1, 5, 40, 299})
                for (bool exclude_self : {false, true}) {
                    CAPTURE(kind);
                    CAPTURE(k);
                    auto const rows = make_points<3, float>(kind, 300, 3);
                    TreeOptions const options{.leaf_size = 6, .coarsening = 3, .top_nodes = 8};
                    auto const tree = build_tree(cpu, view<3>(rows), 3, options);
                    std::vector<index_t> indices(300 * k);
                    std::vector<float> distances(300 * k);
                    std::vector<Seen> seen;
                    Spy spy(k, {k, indices.data(), distances.data()});
                    spy.exclude_self = exclude_self;
                    spy.seen = &seen;
                    walk(cpu, spy, Open<3, float>{}, tree, tree);

                    std::vector<Key<float>> kth(300);
                    for (pos_t i = 0; i < 300; ++i) {
                        std::vector<Key<float>> keys;
                        for (pos_t j = 0; j < 300; ++j)
                            if (!exclude_self || i != j)
                                keys.push_back({distance2(Open<3, float>{}, tree.points<3>().point(i),
                                                          tree.points<3>().point(j)),
                                                j});
                        std::nth_element(keys.begin(), keys.begin() + (k - 1), keys.end());
                        kth[i] = keys[k - 1];
                    }
                    bool right = true;
                    std::size_t unbounded = 0;
                    for (Seen const& s : seen) {
                        for (pos_t i = s.first; i < s.first + s.count; ++i)
                            right = right && kth[i] <= s.reach;
                        unbounded += s.reach == Key<float>{};
                    }
                    CHECK(right);
                    CHECK(!seen.empty());
                    if (k < 290) CHECK(unbounded == 0);
                }
    });
}

TEST_CASE("counted radii: bound the k-th of a random multiset from above, and closely") {
    Random r(11);
    for (int trial = 0; trial < 2000; ++trial) {
        CAPTURE(trial);
        pos_t const want = pos_t(1 + r.below(trial % 2 ? 20 : 2000));
        CountedRadii<float, 16> bins(want);
        std::map<float, pos_t> all;
        size_type total = 0;
        for (int i = 0; i < 200; ++i) {
            float const radius = float(r.below(1000));
            pos_t const n = pos_t(1 + r.below(40));
            bins.add({radius, pos_t(i)}, n);
            all[radius] += n;
            total += n;
            auto const radius_of = [&](double rank) {
                size_type sum = 0;
                for (auto const& [key, count] : all)
                    if (double(sum += count) >= rank) return key;
                return infinity<float>;
            };
            REQUIRE(bins.bound().d2 >= radius_of(want));
            if (total >= want) REQUIRE(bins.bound().d2 < infinity<float>);
        }
        if (want <= 20) {  // few bins are needed: the bound is exact
            size_type sum = 0;
            float exact = infinity<float>;
            for (auto const& [key, count] : all)
                if ((sum += count) >= want) {
                    exact = key;
                    break;
                }
            CHECK(bins.bound().d2 <= exact * 1.3f + 30);
        }
    }
}
