// tuning.sift: targets that are alike see only what is useful to them, and all of it.
#include <atomic>

#include "support/everywhere.hpp"
#include "support/sanitized.hpp"

using namespace test;

namespace {

struct Coloured {
    pos_t colour;  ///< with a block behind the last
    std::uint8_t asks;
};
template <int D, class T>
struct Asked {
    pos_t colour;  ///< of all points; no_pos: of several
    bool any;      ///< asks
};

/// The nearest point of another colour within a radius of its own, for every point that asks: the smallest key.
template <int D, class T>
struct NearestOther : Types<D, T, Coloured, Asked<D, T>> {
    using Base = Types<D, T, Coloured, Asked<D, T>>;
    using typename Base::Node, typename Base::Point, typename Base::Target, typename Base::State,
        typename Base::Summary;
    static constexpr Uses uses{.reach = true, .ordered = true, .summary = true, .idle = true};
    static constexpr Tuning tuning{.leaf_summary = true, .blocks = true, .sift = true};
    T radius2 = 0;
    Key<T>* found = nullptr;
    int *begun = nullptr, *ended = nullptr;
    std::atomic<pos_t>* wrong = nullptr;

    [[nodiscard]] T radius_of(pos_t i) const { return i % 5 == 0 ? radius2 / 4 : radius2; }

    Summary summarize(Point const& p) const { return {p.payload.colour, p.payload.asks != 0}; }
    Summary merge(Summary a, Summary b) const {
        return {a.colour == b.colour ? a.colour : no_pos, a.any || b.any};
    }
    Summary summarize_leaf(LeafView<D, T, Coloured> const& leaf) const {
        Summary sum{leaf.payload[leaf.first].colour, false};
        for (pos_t i = leaf.first; i < leaf.end(); ++i)
            sum = merge(sum, {leaf.payload[i].colour, leaf.payload[i].asks != 0});
        return sum;
    }
    bool idle(Node const& t) const { return !t.summary.any; }
    using Reach = Empty;
    Reach reach_begin(Node const&) const { return {}; }
    void reach_add(Reach&, Node const&, Node const&, Range<T>) const {}
    Key<T> reach_end(Reach const&, Node const&) const { return {radius2, no_pos}; }
    Decision decide(Node const& t, Node const& s, Range<T> d) const {
        bool const same = t.summary.colour == s.summary.colour && t.summary.colour != no_pos;
        return !same && Key<T>{d.lo2, s.first} <= t.reach ? Decision::descend : Decision::discard;
    }
    struct Fold {
        Key<T> best, limit;
        pos_t colour;
    };
    Fold begin(Target const& p, State const&) const {
        ++begun[p.index];
        return {{}, {p.payload.asks ? radius_of(p.index) : T(-1), no_pos}, p.payload.colour};
    }
    void visit(Fold& f, Point const&, Point const& q, T d2) const {
        if (q.payload.colour != f.colour) f.best = std::min(f.best, Key<T>{d2, q.position});
    }
    bool alike(Fold const& f, Fold const& g) const { return f.colour == g.colour; }
    void narrow(Summary& leaf, Fold const& f) const { leaf.colour = f.colour; }
    template <Isa isa>
    std::uint32_t useful(Fold const& f, ColumnsView<Coloured> const& sources, pos_t first) const {
        return Simd<isa>::differ(sources.template column<0>() + first, f.colour) &
               ((1U << simd_width<T>)-1);
    }
    template <Isa isa, class Block>
    void visit_block(Fold& f, Point const&, Block const& block) const {
        for (pos_t c = 0; c < block.count; c += simd_width<T>) {
            alignas(64) T d2[simd_width<T>];
            block.distances(c, d2);
            for (std::uint32_t who = block.lanes(c); who != 0; who &= who - 1) {
                pos_t const l = pos_t(std::countr_zero(who)), j = block.first + c + l;
                *wrong += block.payload[j].colour == f.colour || c + l >= block.count;
                f.best = std::min(f.best, Key<T>{d2[l], j});
            }
        }
    }
    Key<T> horizon(Fold const& f) const { return std::min(f.best, f.limit); }
    void end(Fold const& f, Target const& p) const {
        ++ended[p.index];
        found[p.index] = f.best <= f.limit ? f.best : Key<T>{};
    }
};

/// Points in z-order with their colours, which of them ask, and what these find.
template <int D, class T>
struct Case {
    zwalk::testing::Rows<D, T> rows;
    std::vector<pos_t> colour;
    std::vector<std::uint8_t> asks;
    NearestOther<D, T> trait;
    std::vector<Key<T>> expected;  ///< by brute force

    Case(std::string const& kind, std::uint64_t seed) : rows(make_points<D, T>(kind, 700, seed)) {
        auto const n = pos_t(rows.size());
        Random r(seed);
        colour.resize(n + simd_width<float>);
        asks.resize(n);
        // Colours in stretches, so that leaves have one or several.
        for (pos_t i = 0; i < n; ++i) {
            colour[i] = i > 0 && r.below(30) ? colour[i - 1] : pos_t(r.below(6));
            asks[i] = r.below(3) > 0;
        }
        auto const tree = build_tree(Cpu(1), view<D>(rows), D);
        auto const points = tree.template points<D>();
        std::vector<Vec<D, T>> x(n);
        for (pos_t i = 0; i < n; ++i) x[i] = points.point(i);
        trait.radius2 = distance2(Open<D, T>{}, x[0], x[40]);
        expected.resize(n);
        for (pos_t i = 0; i < n; ++i) {
            if (!asks[i]) continue;
            T const radius2 = trait.radius_of(i);
            for (pos_t j = 0; j < n; ++j) {
                if (colour[j] == colour[i]) continue;
                T const d2 = distance2(Open<D, T>{}, x[i], x[j]);
                if (d2 <= radius2) expected[i] = std::min(expected[i], Key<T>{d2, j});
            }
        }
    }
};

template <int D, class T>
void check(Case<D, T> const& c, TreeOptions const& options, int threads) {
    auto const n = pos_t(c.rows.size());
    Cpu const cpu(threads);
    auto const tree = build_tree(cpu, view<D>(c.rows), D, options);
    std::vector<Key<T>> found(n);
    std::vector<int> begun(n), ended(n);
    std::atomic<pos_t> wrong = 0;
    NearestOther<D, T> trait = c.trait;
    trait.found = found.data();
    trait.begun = begun.data(), trait.ended = ended.data(), trait.wrong = &wrong;
    ColumnsView<Coloured> const known{{{c.colour.data()}, {c.asks.data()}}};
    walk(cpu, trait, Open<D, T>{}, tree, tree, {known, known});
    CHECK(wrong == 0);
    for (pos_t i = 0; i < n; ++i) {
        if (c.asks[i]) REQUIRE(begun[i] > 0);
        // A point may begin twice, but not see anything twice.
        REQUIRE(ended[i] == (begun[i] > 0));
    }
    CHECK(found == c.expected);
}

}  // namespace

TEST_CASE("sift: every target that asks finds what is useful to it, and sees nothing else") {
    for (auto const& kind : some(kinds(), 2))
        for (std::uint64_t seed = 1; seed <= fewer(3, 3); ++seed) {
            CAPTURE(kind);
            CAPTURE(seed);
            Case<3, float> const narrow(kind, seed);
            Case<2, double> const wide(kind, seed);
            for (pos_t leaf_size : {1, 7, 48, 150, 400}) {
                CAPTURE(leaf_size);
                TreeOptions const options{.leaf_size = leaf_size, .coarsening = 3, .top_nodes = 4};
                check(narrow, options, 1 + int(seed % 2));
                check(wide, options, 1);
            }
        }
}
