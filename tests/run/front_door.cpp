// The front door for traits: the same lines on every place, against double loops.
#include <doctest/doctest.h>

#include <complex>
#include <sstream>

#include "support/brute_counts.hpp"
#include "support/everywhere.hpp"
#include "support/places.hpp"
#include "support/sanitized.hpp"
#include "testing/mistakes.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/fof/fof.hpp"
#include "zwalk/fof/trait.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/run/index.hpp"

using namespace test;
using namespace zwalk::examples;

namespace {

template <int D, class T, class P>
std::vector<size_type> counts_on(PointTree<D, T, P> const& targets,
                                 std::type_identity_t<PointTree<D, T, P>> const* sources, T radius2) {
    auto count = targets.template array<size_type>();
    RadiusCount<D, T> trait;
    trait.radius2 = radius2;
    trait.count = count.data();
    if (sources) targets.walk_against(*sources, trait);
    else targets.walk(trait);
    return count.in_input_order();
}

template <int D, class T>
void check_counts(T radius2, std::vector<double> const& box) {
    for (auto const* kind : {"uniform", "clustered", "sites40", "line"})
        for (std::size_t n : {0, 1, 2, 49, int(fewer(600, 2))}) {
            CAPTURE(D);
            CAPTURE(kind);
            CAPTURE(n);
            auto const rows = make_points<D, T>(kind, n, 1), others = make_points<D, T>(kind, n / 2, 2);
            PointTreeOptions const options{.box = box, .tree = {.leaf_size = 12}};
            on_places([&](auto& place) {
                auto const tree = make_tree<D>(place, rows, options);
                CHECK(counts_on<D, T>(tree, nullptr, radius2) ==
                      brute_counts<D, T>(rows, rows, radius2, box));
                auto const targets = tree.targets(view<D>(others));
                CHECK(counts_on<D, T>(targets, &tree, radius2) ==
                      brute_counts<D, T>(others, rows, radius2, box));
            });
        }
}

/// Pairs that are near, each once; it accepts far ones, and says of no service that takes them.
struct UntakenPairs : Types<3, float> {
    static constexpr Uses uses{.symmetric = true};
    Decision decide(Node const& t, Node const& s, Range<float> d) const {
        return t.index != s.index && d.lo2 > .01f ? Decision::accept : Decision::descend;
    }
    void pair(Point const&, Point const&, float, auto&) const {}
};

/// What a walk may not lose: payloads whose fields are structs, arrays and complex numbers.
struct ManyFields {
    std::array<float, 3> velocity;
    Vec<2, double> spin;
    Star star;
    std::complex<float> wave;
    bool is_dark;
};
static_assert(detail::check_payload_rows<ManyFields>());
static_assert(detail::check_payload_rows<Empty>());

}  // namespace

TEST_CASE("front door: counts in a radius, open and in a box, one set of points and two") {
    check_counts<1, float>(.0001f, {});
    check_counts<2, double>(.01, {4});
    check_counts<3, float>(.02f, {4, 0, 4});
    check_counts<5, double>(.3, {});
}

TEST_CASE("front door: a walk on a device keeps to the memory budget of the place") {
    auto const rows = make_points<3, float>("uniform", 3000, 9);
    HostDevice<> device;
    auto const tree = make_tree<3>(device, rows);
    auto const lists = [&](std::vector<size_type>& counts) {
        auto count = tree.array<size_type>();
        RadiusCount<3, float> trait;
        trait.radius2 = .01f;
        trait.count = count.data();
        auto const bytes = tree.walk(trait).counts.peak_list_bytes;
        counts = count.in_input_order();
        return bytes;
    };
    std::vector<size_type> expected, counts;
    std::uint64_t const usual = lists(expected);
    device.budget = usual / 4;
    CHECK(lists(counts) <= device.budget);
    CHECK(counts == expected);
}

TEST_CASE("front door: payloads, positions as rows") {
    auto const rows = make_points<3, float>("uniform", 700, 3);
    std::vector<Star> stars(rows.size());
    Random random(4);
    for (Star& star : stars) star.light = float(random.uniform());
    std::vector<double> const box{1, 0, 1};
    on_places([&](auto& place) {
        auto const tree = make_tree<3>(place, rows, {.box = box});
        auto brighter = tree.template array<pos_t>();
        NearestBrighter trait;
        trait.brighter = brighter.data();
        tree.walk(trait, tree.payload(stars));
        auto const row = tree.rows_at(brighter);
        REQUIRE(row.size() == rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            float nearest = infinity<float>;
            for (std::size_t j = 0; j < rows.size(); ++j)
                if (stars[j].light > stars[i].light)
                    nearest = std::min(nearest, distance2_of<3, float>(box, rows[i], rows[j]));
            REQUIRE((row[i] < 0) == (nearest == infinity<float>));
            if (row[i] < 0) continue;
            CHECK(stars[std::size_t(row[i])].light > stars[i].light);
            CHECK(distance2_of<3, float>(box, rows[i], rows[std::size_t(row[i])]) == nearest);
        }
    });
}

TEST_CASE("front door: payloads of two sets of points") {
    auto const bright = make_points<3, float>("clustered", 300, 5),
               faint = make_points<3, float>("uniform", 200, 6);
    std::vector<Star> const high(bright.size(), {2}), low(faint.size(), {1});
    on_places([&](auto& place) {
        auto const sources = make_tree<3>(place, bright);
        auto const targets = sources.targets(view<3>(faint));
        auto brighter = targets.template array<pos_t>(7);
        NearestBrighter trait;
        trait.brighter = brighter.data();
        targets.walk_against(sources, trait, targets.payload(low), sources.payload(high));
        auto const row = sources.rows_at(brighter);
        // Targets without a payload have zeros.
        targets.walk_against(sources, trait, sources.payload(high));
        CHECK(sources.rows_at(brighter) == row);
        for (std::size_t i = 0; i < faint.size(); ++i) {
            float nearest = infinity<float>;
            for (auto const& q : bright)
                nearest = std::min(nearest, distance2_of<3, float>({}, faint[i], q));
            REQUIRE(row[i] >= 0);
            REQUIRE(std::size_t(row[i]) < bright.size());
            CHECK(distance2_of<3, float>({}, faint[i], bright[std::size_t(row[i])]) == nearest);
        }
    });
}

TEST_CASE("front door: totals are returned, links as labels") {
    auto const rows = make_points<3, float>("clustered", 900, 7);
    using Pairs = PairCounts<3, float, 3>;
    Pairs trait;
    for (int b = 0; b <= 3; ++b) trait.edge2[b] = .002f * float(b * b);
    Pairs::Total expected;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            int const b = trait.bin(distance2_of<3, float>({}, rows[i], rows[j]));
            if (b >= 0 && b < 3) ++expected.pairs[b];
        }
    auto const groups = fof(view<3>(rows), {.linking_length = .02});
    on_places([&](auto& place) {
        auto const tree = make_tree<3>(place, rows);
        auto const walked = tree.walk(trait);
        for (int b = 0; b < 3; ++b) CHECK(walked.total.pairs[b] == expected.pairs[b]);
        auto const labels = tree.walk(Fof<3, float>(.02f)).labels;
        CHECK(std::ranges::equal(labels, groups.labels));
    });
}

TEST_CASE("front door: arrays outlive their tree, trees can be copied") {
    auto const rows = make_points<2, double>("uniform", 300, 8);
    on_places([&](auto& place) {
        auto count = make_tree<2>(place, rows).template array<pos_t>(3);
        CHECK(count.in_input_order() == std::vector<pos_t>(300, 3));
        auto const first = make_tree<2>(place, rows);
        auto const copy = first;
        CHECK(counts_on<2, double>(copy, &first, .01) == counts_on<2, double>(first, nullptr, .01));
    });
}

TEST_CASE("front door: the tree of an index, made or read") {
    // Where there are no kernels for 2 columns its tree has 3.
    auto const rows = make_points<2, double>("clustered", 500, 10),
               others = make_points<2, double>("clustered", 90, 11);
    std::vector<double> const box{4};
    Index<double> const made(view<2>(rows), {.box = box, .tree = {.leaf_size = 7}});
    std::stringstream file;
    made.write(file);
    auto const read = Index<double>::read(file);
    auto const expected = brute_counts<2, double>(rows, rows, 3e-4, box);
    for (Index<double> const* const index : {&made, &read})
        on_places([&](auto& place) {  // a device gets a copy
            auto const tree = make_tree<2>(place, *index);
            if constexpr (!is_device<decltype(place)>)
                CHECK(tree.tree().x.data() == index->points().tree.x.data());
            for (int turn = 0; turn < 2; ++turn)
                CHECK(counts_on<2, double>(tree, nullptr, 3e-4) == expected);
            CHECK(counts_on<2, double>(tree.targets(view<2>(others)), &tree, 3e-4) ==
                  brute_counts<2, double>(others, rows, 3e-4, box));
            CHECK(refusal_of([&] {
                      make_tree<1>(place, *index);
                  }).find("make_tree<1> of an index whose points have 2 columns: here D must be 2") ==
                  0);
            CHECK(refusal_of([&] { make_tree<9>(place, *index); }) != "");
            fof(*index, {.linking_length = .01});  // in between, others may ask the index
        });
    auto const of_index = make_tree<2>(made.place(), made);
    CHECK(refusal_of([&] {
              of_index.walk_against(make_tree<2>(read.place(), rows), RadiusCount<2, double>{});
          }) == "the two trees have different boxes: build one by targets() of the other");
}

TEST_CASE("front door: refusals") {
    auto const rows = make_points<3, float>("uniform", 50, 9);
    auto bad = rows;
    bad[7][1] = std::nanf("");
    on_places([&](auto& place) {
        CHECK(refusal_of([&] { make_tree<3>(place, bad); }) ==
              refusal_of([&] { check_points(view<3>(bad)); }));
        CHECK(refusal_of([&] { make_tree<3>(place, bad); }) != "");
        CHECK(refusal_of([&] { make_tree<2>(place, rows); }) ==
              "the points have 3 columns, but the tree is for at most 2");
        CHECK(refusal_of([&] {
                  make_tree<3>(place, rows, {.box = {1, 1}});
              }).find("the box has 2 lengths") == 0);
        CHECK(refusal_of([&] { make_tree<3>(place, rows, {.box = {.5}}); }) != "");
        auto const tree = make_tree<3>(place, rows, {.box = {1}});
        CHECK(refusal_of([&] { (void)tree.payload(std::vector<Star>(49)); }) ==
              "the payload has 49 rows, but there are 50 points");
        auto const other = make_tree<3>(place, rows);
        CHECK(refusal_of([&] { tree.walk(NearestBrighter{}, other.payload(std::vector<Star>(50))); }) ==
              "the payload was made by another tree");
        CHECK(refusal_of([&] {
                  (void)tree.rows_at(tree.template array<pos_t>(50));
              }).find("position 50 is none of this tree's 50 points") == 0);
        auto const far = Rows<3, float>{{5, 5, 5}};
        CHECK(refusal_of([&] { (void)tree.targets(view<3>(far)); }) != "");
        auto const flat = make_points<2, float>("uniform", 5, 1);
        CHECK(refusal_of([&] { (void)tree.targets(view<2>(flat)); }) ==
              "the targets have 2 columns, but the points of the tree have 3");
        auto const open = make_tree<3>(place, rows);
        CHECK(refusal_of([&] { counts_on<3, float>(tree, &open, .01f); }) ==
              "the two trees have different boxes: build one by targets() of the other");
        CHECK(refusal_of([&] { open.walk_against(tree.targets(view<3>(rows)), Fof<3, float>(.1f)); }) ==
              "a trait with symmetric or links meets one tree alone, not two");
        CHECK(refusal_of([&] { make_tree<3>(place, rows, {.tree = {.coarsening = 1}}); }) != "");
    });
}

TEST_CASE("front door: an accept that nothing takes is refused, on every place") {
    auto const rows = make_points<3, float>("uniform", 400, 11);
    auto const words = "decide() accepts a pair of nodes (target node of points";
    on_places([&](auto& place) {
        auto const tree = make_tree<3>(place, rows, {.tree = {.leaf_size = 5}});
        auto count = tree.template array<size_type>();
        NoService trait;
        trait.count = count.data();
        CHECK(refusal_of([&] { tree.walk(trait); }).starts_with(words));
        CHECK(refusal_of([&] {
                  tree.targets(view<3>(rows)).walk_against(tree, trait);
              }).starts_with(words));
        CHECK(refusal_of([&] { tree.walk(UntakenPairs{}); }).starts_with(words));
    });
}

TEST_CASE("front door: positions of sources are none of the targets'") {
    auto const rows = make_points<3, float>("uniform", 90, 12),
               others = make_points<3, float>("uniform", 90, 13);
    auto const words = "these targets were walked against sources";
    on_places([&](auto& place) {
        auto const sources = make_tree<3>(place, rows);
        auto const targets = sources.targets(view<3>(others));
        auto const of_sources = sources.payload(std::vector<Star>(rows.size(), Star{2}));
        auto at = targets.array(no_pos);
        NearestBrighter trait;
        trait.brighter = at.data();
        targets.walk_against(sources, trait, of_sources);
        CHECK(sources.rows_at(at).size() == others.size());
        CHECK(refusal_of([&] { (void)targets.rows_at(at); }).starts_with(words));
        targets.walk(trait, targets.payload(std::vector<Star>(others.size())));
        CHECK(targets.rows_at(at) == std::vector<index_t>(others.size(), -1));
    });
}

TEST_CASE("front door: a box that is too small names the points at fault") {
    Cpu place(1);
    auto const near = Rows<3, float>{{0, 0, 0}, {.5f, 0, 0}},
               wide = Rows<3, float>{{0, 0, 0}, {3, 0, 0}}, beside = Rows<3, float>{{-.75f, 0, 0}};
    auto const tree = make_tree<3>(place, near, {.box = {1}});
    auto const said = [&](auto const& rows) {
        return refusal_of([&] { (void)tree.targets(view<3>(rows)); });
    };
    CHECK(said(wide).starts_with(
        "box: the targets span 3 (0 to 3) on axis 0, more than the box length 1"));
    CHECK(said(beside).starts_with("box: the points and targets together span 1.25 (-0.75 to 0.5)"));
    auto const searched = [&](auto const& points, auto const& queries) {
        return refusal_of([&] { (void)knn(points, queries, {.k = 1, .box = {1}}); });
    };
    CHECK(searched(wide, near).starts_with("box: the points span 3 (0 to 3) on axis 0"));
    CHECK(searched(near, beside)
              .starts_with("box: the points of both sets together span 1.25 (-0.75 to 0.5)"));
    CHECK(refusal_of([] { Cpu(-3); }) ==
          "the number of threads is -3; it must be positive, or 0 for all");
}

TEST_CASE("front door: points as rows of either kind") {
    Cpu place(1);
    std::vector<Vec<3, float>> const vecs{{{1, 2, 3}}, {{4, 5, 6}}};
    Points const points(vecs);
    CHECK(points.dim == 3);
    CHECK(points.size == 2);
    CHECK(points.data[5] == 6);
    CHECK(make_tree<3>(place, vecs).size() == 2);
    CHECK(make_tree<3>(place, std::vector<Vec<3, float>>()).size() == 0);
}
