// A trait that goes through all doors which have to do with outputs: a cutoff for each target, a shared table, two positions for
// each target, a total that end() adds to, by the distance between two sources.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "zwalk/core/space.hpp"
#include "zwalk/walk/interaction.hpp"

namespace test {

struct Kind {
    int number;
    float radius2;
};

/// The two nearest of the points within a target's radius, the target's own place left out, what the table says of all there, and
/// over all targets how far apart these two are at most.
struct PairsAtEnd : zwalk::Types<3, float, Kind> {
    static constexpr zwalk::Uses uses{.total = true, .cutoff = true};
    float largest_radius2;
    int const* table;
    zwalk::Vec<2, zwalk::pos_t>* nearest;
    long long* sum;

    struct Total {
        std::uint64_t targets = 0, pairs = 0;
        float widest = 0;
        friend bool operator==(Total const&, Total const&) = default;
    };
    ZWALK_HD void combine(Total& a, Total const& b) const {
        a.targets += b.targets;
        a.pairs += b.pairs;
        a.widest = zwalk::max_of(a.widest, b.widest);
    }
    ZWALK_HD zwalk::Decision decide(Node const&, Node const&, Bounds d) const {
        return d.lo2 > largest_radius2 ? zwalk::Decision::discard : zwalk::Decision::descend;
    }
    ZWALK_HD float cutoff2(Target const& p) const { return p.payload.radius2; }

    struct Fold {
        zwalk::Key<float> key[2];
        zwalk::Vec<3, float> x[2];
        long long sum;
    };
    ZWALK_HD Fold begin(Target const&, State) const { return {{}, {}, 0}; }
    ZWALK_HD void visit(Fold& f, Target const& p, Point const& q, float d2) const {
        if (d2 > p.payload.radius2) return;
        f.sum += table[q.payload.number];
        if (d2 == 0) return;
        zwalk::Key<float> const key{d2, q.position};
        int const at = key < f.key[0] ? 0 : key < f.key[1] ? 1 : 2;
        if (at == 0) f.key[1] = f.key[0], f.x[1] = f.x[0];
        if (at < 2) f.key[at] = key, f.x[at] = q.x;
    }
    ZWALK_HD void end(Fold const& f, Target const& p, auto& sink, auto const& space) const {
        sum[p.index] = f.sum;
        for (int k = 0; k < 2; ++k) nearest[p.index][k] = f.key[k].pos;
        Total own;
        own.targets = 1;
        own.pairs = f.key[1].pos != zwalk::no_pos;
        if (own.pairs > 0) own.widest = distance2(space, f.x[0], f.x[1]);
        combine(sink.total(), own);
    }
};

inline std::vector<Kind> kinds(std::size_t n, std::size_t kinds) {
    std::vector<Kind> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = {int(i * 7 % kinds), .002f * float(1 + i % 5)};
    return all;
}

/// What comes of it on a tree, for the rows of one process or of a rank.
struct PairsFound {
    PairsAtEnd::Total total;
    std::vector<std::array<zwalk::index_t, 2>> rows;
    std::vector<long long> sums;
    long long sum_of_all, largest;
    friend bool operator==(PairsFound const&, PairsFound const&) = default;
};
template <class Tree>
PairsFound find_pairs(Tree const& tree, std::vector<Kind> const& own) {
    auto const table = tree.shared(std::vector<int>{5, -1, 8, 3});
    PairsAtEnd trait;
    trait.largest_radius2 = .01f;
    trait.table = table.data();
    auto const nearest = tree.bind(trait.nearest, {{zwalk::no_pos, zwalk::no_pos}});
    auto const sum = tree.bind(trait.sum);
    auto const walked = tree.walk(trait, tree.payload(own));
    auto const most = [](long long a, long long b) { return std::max(a, b); };
    auto const plus = [](long long a, long long b) { return a + b; };
    return {walked.total, tree.rows_at(nearest), sum.in_input_order(), tree.reduce(sum, 0, plus),
            tree.reduce(sum, -1000, most)};
}

}  // namespace test
