// What a reference walk tells of itself, and what is made of that: tables and pages.
#include "zwalk/walk/trace.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/groups.hpp"
#include "support/points.hpp"
#include "traits/kernel_density.hpp"
#include "traits/monopole.hpp"
#include "traits/nearest_brighter.hpp"
#include "traits/pair_counts.hpp"
#include "traits/radius_count.hpp"
#include "zwalk/run/point_tree.hpp"

using namespace test;
using namespace zwalk;
using namespace zwalk::examples;

namespace {

/// How often each pair of points was accounted for.
template <class I>
struct Ledger : NoObserver {
    Tree<typename I::real, Cpu> const *targets, *sources;
    std::vector<int> times, meetings;
    std::vector<int> folds;
    int coarsest = 1000;  ///< plane of the pair before this one

    Ledger(auto const& t, auto const& s)
        : targets(&t),
          sources(&s),
          times(t.size() * s.size()),
          meetings(times.size()),
          folds(t.size()) {}

    void add(pos_t i, pos_t j) { ++times[std::size_t(i) * sources->size() + j]; }
    void decided(Decided<I> const& d) {
        Decided<I> const copy = d;  // references to nodes that live as long as the call
        CHECK(copy.range.lo2 <= copy.range.hi2);
        CHECK(std::max(copy.planes.target, copy.planes.source) <= coarsest);
        coarsest = std::max(copy.planes.target, copy.planes.source);
        auto const& own = targets->planes[std::size_t(copy.planes.target)].first;
        CHECK(own[copy.target.index] == copy.target.first);
        if (copy.decision == Decision::descend) return;
        for (pos_t i = copy.target.first; i <= copy.target.last(); ++i)
            for (pos_t j = copy.source.first; j <= copy.source.last(); ++j)
                if (!I::uses.symmetric || i < j) add(i, j);
    }
    void met(auto const& p, auto const& q, auto d2) {
        CHECK(d2 >= 0);
        add(p.position, q.position);
        ++meetings[std::size_t(p.position) * sources->size() + q.position];
    }
    void folded(auto const& p, auto const&) { ++folds[p.position]; }

    void check() const {
        int wrong = 0;
        for (pos_t i = 0; i < targets->size(); ++i)
            for (pos_t j = 0; j < sources->size(); ++j)
                wrong += times[std::size_t(i) * sources->size() + j] != (!I::uses.symmetric || i < j);
        CHECK(wrong == 0);
        for (int const n : folds) CHECK(n == !I::uses.symmetric);
    }
};

std::uint64_t points_of(std::vector<PlaneCounts> const& table, Decision d) {
    std::uint64_t sum = 0;
    for (auto const& row : table) sum += row.of(d).points;
    return sum;
}

/// Ledger and trace of a walk.
/// What a fast walk says that it did, beside the reference walk: the same, since nothing depends on the order of these walks.
void check_counts(WalkCounts const& counts, WalkCounts const& right, bool knows_all) {
    for (std::size_t p = 0; p < right.planes.size(); ++p) {
        CAPTURE(p);
        CHECK(counts.planes[p].descended == right.planes[p].descended);
        CHECK(counts.planes[p].tested == (knows_all ? right.planes[p].tested : 0));
        CHECK(counts.planes[p].accepted == (knows_all ? right.planes[p].accepted : 0));
    }
}

template <class I, class Space>
Trace check_walk(I const& trait, Space const& space, auto const& t, auto const& s,
                 WalkInputs<I> const& inputs = {}) {
    Ledger<I> ledger(t, s);
    reference_walk(trait, space, t, s, inputs, ledger);
    ledger.check();
    Trace const trace = traced_walk(trait, space, t, s, inputs);
    auto const table = trace.table();
    CHECK(std::uint64_t(std::count(ledger.meetings.begin(), ledger.meetings.end(), 1)) == trace.met);
    CHECK(points_of(table, Decision::discard) + points_of(table, Decision::accept) + trace.met ==
          trace.all_pairs());
    std::uint64_t nodes = 0;
    for (auto const& row : table)
        for (auto const& d : row.decisions) nodes += d.nodes;
    CHECK(nodes == trace.pairs.size());
    if (!table.empty() && table.back().plane == 0)
        CHECK(table.back().of(Decision::descend).points == trace.met);
    check_counts(walk(Cpu(2), trait, space, t, s, inputs), counts_of(trace), true);
    CheckedRun races;
    check_counts(walk(Cpu(1), trait, space, t, s, inputs, CheckedGroups<4, 8>{&races}), counts_of(trace),
                 false);
    return trace;
}

template <int D>
auto tree_of(Cpu const& cpu, Rows<D, double> const& rows, TreeOptions const& options) {
    return build_tree(cpu, Points<double>(rows.empty() ? nullptr : rows[0].data(), rows.size(), D), D,
                      options);
}

template <int D>
void check_traits(std::uint64_t seed) {
    CAPTURE(D);
    CAPTURE(seed);
    Cpu const cpu;
    Open<D, double> const open;
    TreeOptions const deep{.leaf_size = 4, .coarsening = 3, .top_nodes = 1};
    auto const rows = make_points<D, double>(seed % 2 ? "uniform" : "clustered", 150, seed);
    auto const tree = tree_of<D>(cpu, rows, deep);
    auto const other = tree_of<D>(cpu, make_points<D, double>("uniform", 90, seed + 50),
                                  {.leaf_size = 8, .coarsening = 8, .top_nodes = 2});

    std::vector<size_type> count(150);
    RadiusCount<D, double> radius;
    radius.radius2 = .04;
    radius.count = count.data();
    Trace const trace = check_walk(radius, open, tree, tree);
    CHECK(trace.pairs.size() > 30);
    CHECK(trace.met < trace.all_pairs());
    CHECK(points_of(trace.table(), Decision::accept) > 0);
    check_walk(radius, open, tree, other);  // the sources' tree is shallower
    Trace const shallow = check_walk(radius, open, other, tree);
    CHECK(shallow.targets.planes.size() < shallow.sources.planes.size());

    using Pairs = PairCounts<D, double, 3>;
    Pairs bins;
    for (int i = 0; i <= 3; ++i) bins.edge2[i] = .01 * (i + 1);
    typename Pairs::Total total;
    WalkInputs<Pairs> inputs;
    inputs.total = &total;
    check_walk(bins, open, tree, tree, inputs);

    using Gravity = Monopole<D, double>;
    Columns<Mass<double>> const mass(std::vector<Mass<double>>(150, {1.}), tree.input);
    std::vector<Vec<D, double>> pull(150);
    Gravity gravity;
    gravity.theta2 = .5;
    gravity.softening2 = 1e-4;
    gravity.acceleration = pull.data();
    check_walk(gravity, open, tree, tree, WalkInputs<Gravity>{mass.view(), mass.view()});
}

}  // namespace

TEST_CASE("trace: every pair of points is discarded, accepted or met, once") {
    for (std::uint64_t const seed : {1, 2, 3}) {
        check_traits<1>(seed);
        check_traits<2>(seed);
        check_traits<3>(seed);
    }
}

TEST_CASE("trace: few points, and none") {
    Cpu const cpu;
    for (std::size_t n : {0, 1, 2, 5})
        for (std::size_t m : {0, 1, 6}) {
            auto const t = tree_of<2>(cpu, make_points<2, double>("uniform", n, 1), {.leaf_size = 2});
            auto const s = tree_of<2>(cpu, make_points<2, double>("uniform", m, 2), {.leaf_size = 2});
            std::vector<size_type> count(n);
            RadiusCount<2, double> radius;
            radius.radius2 = .1;
            radius.count = count.data();
            CHECK(check_walk(radius, Open<2, double>{}, t, s).all_pairs() == n * m);
        }
}

TEST_CASE("trace: a place to walk on, reach, horizons, reasons") {
    auto const rows = make_points<3, float>("uniform", 400, 9);
    std::vector<Star> stars(rows.size());
    for (std::size_t i = 0; i < stars.size(); ++i) stars[i].light = float(i * 37 % 101);
    Tracing place(1);
    CHECK_THROWS_AS((void)place.trace(), InputError);
    auto const answers = [&](auto& anywhere, TreeOptions const& options) {
        auto const tree = make_tree<3>(anywhere, rows, {.box = {2, 0, 2}, .tree = options});
        auto brighter = tree.template array<pos_t>();
        NearestBrighter trait;
        trait.brighter = brighter.data();
        tree.walk(trait, tree.payload(stars));
        return tree.rows_at(brighter);
    };
    Cpu cpu(1);
    CHECK(answers(place, tree_to_look_at(rows.size())) == answers(cpu, {}));
    Trace const& trace = place.trace();
    CHECK(trace.targets.planes.size() >= 4);
    CHECK(trace.box == std::vector<double>{2, 0, 2});
    REQUIRE(trace.horizons.size() == rows.size());
    auto const& input = trace.targets.input;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int j = 0; j < 3; ++j)
            CHECK(trace.targets.x[3 * i + std::size_t(j)] == double(rows[input[i]][std::size_t(j)]));
    CHECK(std::count(trace.horizons.begin(), trace.horizons.end(), infinity<double>) ==
          4);  // the brightest
    bool beyond = false, faint = false;
    for (auto const& pair : trace.pairs) {
        bool const far = pair.reach < pair.lo2;
        if (far) CHECK(pair.decision == Decision::discard);
        beyond |= trace.reasons[pair.reason] == "beyond the reach" && far;
        faint |= trace.reasons[pair.reason] == "for what the nodes hold, however near they are" && !far;
        CHECK(trace.reasons[pair.reason].empty() == (pair.decision != Decision::discard));
    }
    CHECK(beyond);
    CHECK(faint);
    CHECK(trace.texts.empty());  // the trait has no describe()
}

namespace {

/// Whether a target has at least so many sources within the radius: looks no further when that is known.
struct Enough : RadiusCount<2, double> {
    size_type enough;
    Decision decide(Node const& t, Node const& s, Bounds d) const {
        if (t.state >= enough) return Decision::discard;
        return RadiusCount<2, double>::decide(t, s, d);
    }
};

}  // namespace

TEST_CASE("trace: a discard by the target's state, and one by distance") {
    auto const rows = make_points<2, double>("uniform", 400, 3);
    Tracing place(1);
    auto const tree = make_tree<2>(place, rows, {.tree = tree_to_look_at(rows.size())});
    auto counts = tree.array<size_type>();
    Enough trait;
    trait.radius2 = .09;
    trait.enough = 20;
    trait.count = counts.data();
    tree.walk(trait);
    Trace const& trace = place.trace();
    std::size_t by_state = 0, by_distance = 0;
    for (auto const& pair : trace.pairs) {
        auto const& reason = trace.reasons[pair.reason];
        by_state += reason == "for the state of the target";
        by_distance += reason == "too far away";
        if (pair.decision != Decision::discard) CHECK(reason.empty());
        else if (reason != "for the state of the target")
            CHECK((reason == "too far away" && pair.lo2 > trait.radius2));
    }
    CHECK(by_state > 0);
    CHECK(by_distance > 0);
}

TEST_CASE("trace: what traits say of nodes") {
    auto const rows = make_points<2, double>("clustered", 200, 3);
    Tracing place(1);
    auto const tree = make_tree<2>(place, rows, {.tree = tree_to_look_at(rows.size())});

    // A state is that of the target: of the source there is nothing to say.
    auto sums = tree.array<double>();
    KernelDensity<2, double> density;
    density.scale = -50;
    density.error = .01;
    density.sources = double(rows.size());
    density.sum = sums.data();
    tree.walk(density);
    Trace const& of_states = place.trace();
    REQUIRE(of_states.texts.size() > 2);
    CHECK(of_states.texts[0].empty());
    for (auto const& pair : of_states.pairs) {
        CHECK(pair.source_text == 0);
        CHECK(of_states.texts[pair.target_text].starts_with("sum of accepted sources: "));
    }
    auto const& top = of_states.pairs.front();
    CHECK(of_states.texts[top.target_text] == "sum of accepted sources: 0.000000");
    auto const& last = of_states.pairs.back();
    CHECK(of_states.texts[last.target_text] != "sum of accepted sources: 0.000000");

    // A summary is that of both.
    auto pull = tree.array<Vec<2, double>>();
    Monopole<2, double> gravity;
    gravity.theta2 = .5;
    gravity.softening2 = 1e-4;
    gravity.acceleration = pull.data();
    tree.walk(gravity, tree.payload(std::vector<Mass<double>>(rows.size(), {1.})));
    Trace const& of_masses = place.trace();
    for (auto const& pair : of_masses.pairs) {
        auto const mass = [&](Trace::Side const& side, int plane, pos_t node) {
            return "mass " + std::to_string(double(side.planes[std::size_t(plane)].count(node)));
        };
        CHECK(of_masses.texts[pair.target_text] ==
              mass(of_masses.targets, pair.planes.target, pair.target));
        CHECK(of_masses.texts[pair.source_text] ==
              mass(of_masses.targets, pair.planes.source, pair.source));
    }
    std::string const text = page(of_masses);
    CHECK(text.find("\"texts\":[\"\",\"mass 200.000000\"") != std::string::npos);
    for (char const* column : {"\"tt\":[1,", "\"st\":[1,"})
        CHECK(text.find(column) != std::string::npos);
}

TEST_CASE("trace: the table as text") {
    Tracing place(1);
    std::vector<std::array<double, 2>> const rows{{0, 0}, {0, 1}, {8, 8}, {8, 9}};
    auto const tree = make_tree<2>(place, rows, {.tree = {.leaf_size = 2, .top_nodes = 1}});
    auto counts = tree.array<size_type>();
    RadiusCount<2, double> radius;
    radius.radius2 = .5;
    radius.count = counts.data();
    tree.walk(radius);
    auto const table = place.trace().table();
    REQUIRE(table.size() == 2);
    CHECK(table[0].of(Decision::descend).points == 16);
    CHECK(table[1].targets == 2);
    CHECK(table[1].of(Decision::discard).nodes == 2);
    CHECK(table[1].of(Decision::discard).points == 8);
    CHECK(place.trace().table_text().find("8 of 16 pairs of points met, 50.0 %") != std::string::npos);
}

TEST_CASE("pages: what is on them, and what is refused") {
    Tracing place(1);
    auto const walk_over = [&]<int D>(std::size_t n) {
        auto const rows = make_points<D, double>("uniform", n, 4);
        auto const tree = make_tree<D>(place, rows, {.tree = tree_to_look_at(n)});
        auto counts = tree.template array<size_type>();
        RadiusCount<D, double> radius;
        radius.radius2 = .01;
        radius.count = counts.data();
        tree.walk(radius);
    };
    walk_over.operator()<2>(100);
    std::string const text = page(place.trace(), {.title = "</script> \"quoted\"", .about = "a\\b"});
    CHECK(text.find("\"title\":\"\\u003c/script> \\u0022quoted\\u0022\"") != std::string::npos);
    CHECK(text.find("\"about\":\"a\\u005cb\"") != std::string::npos);
    for (char const* mark : {"trace.css */", "trace.js */", "trace.json */", "http:", "https:", "src="})
        CHECK(text.find(mark) == std::string::npos);

    auto const file = std::filesystem::temp_directory_path() / "zwalk-test-page.html";
    write_page(file, place.trace(), {.title = "</script> \"quoted\"", .about = "a\\b"});
    std::ifstream in(file);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == text);
    std::filesystem::remove(file);
    CHECK(text.find("\"sources\":null") != std::string::npos);

    auto const refused = [&](char const* part, PageOptions const& options) {
        try {
            (void)page(place.trace(), options);
            FAIL("not refused");
        } catch (InputError const& error) {
            CAPTURE(error.what());
            CHECK(std::string(error.what()).find(part) != std::string::npos);
        }
    };
    refused("100 points are too many", {.most_points = 99});
    refused("pairs of nodes, too many", {.most_pairs = 99});
    walk_over.operator()<2>(0);
    refused("no points", {});
    walk_over.operator()<1>(10);
    refused("2 or 3 dimensions, these have 1", {});

    auto const sources = make_tree<2>(place, make_points<2, double>("uniform", 50, 1));
    auto const targets = sources.targets(make_points<2, double>("uniform", 30, 2));
    auto found = targets.array<size_type>();
    RadiusCount<2, double> near;
    near.radius2 = .01;
    near.count = found.data();
    targets.walk_against(sources, near);
    CHECK(page(place.trace()).find("\"sources\":{\"x\":[") != std::string::npos);
}
