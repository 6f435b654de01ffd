// Every pair of services in one walk or another, each against the reference walk.
#pragma once
#include <doctest/doctest.h>

#include <initializer_list>
#include <iterator>
#include <optional>

#include "support/everywhere.hpp"
#include "support/reader.hpp"

namespace test {

/// What a reader (support/reader.hpp) may have: services of Uses, a payload, and a periodic space. A new
/// service gets a switch here, and hooks there.
enum Switch {
    reach,
    metric,
    ordered,
    state,
    summary,
    links,
    total,
    far,
    symmetric,
    cutoff,
    displacement,
    scratch,
    idle,
    payload,
    periodic,
    switches
};
using Choice = std::array<bool, switches>;
consteval Choice with(std::initializer_list<Switch> on) {
    Choice c{};
    for (Switch s : on) c[s] = true;
    return c;
}
consteval Uses uses_of(Choice const& c) {
    return {.reach = c[reach],
            .metric = c[metric],
            .ordered = c[ordered],
            .state = c[state],
            .summary = c[summary],
            .links = c[links],
            .total = c[total],
            .far = c[far],
            .symmetric = c[symmetric],
            .cutoff = c[cutoff],
            .displacement = c[displacement],
            .idle = c[idle],
            .scratch = c[scratch]};
}

/// Of each two switches all settings that go together: among symmetric walks, whose drivers are others, and
/// among the rest.
inline constexpr Choice choices[]{
    with({state, summary, total, cutoff, scratch, idle, payload, periodic}),
    with({reach, metric, ordered, summary, links, far}),
    with({metric, ordered, state, links, displacement, scratch, payload, periodic}),
    with({total, displacement}),
    with({reach, metric, ordered, state, summary, total, far, displacement, idle, payload}),
    with({reach, summary, links, far, cutoff, displacement, scratch, idle, periodic}),
    with({reach, metric, state, links, total, cutoff, periodic}),
    with({ordered, summary, far, scratch, payload}),
    with({summary, far, cutoff, displacement, payload}),
    // Nodes that carry nothing: their leaves take the list of the parent (lists_of_leaves_can_wait).
    with({reach, ordered, summary, displacement, scratch, idle, payload}),

    with({metric, summary, symmetric, displacement, periodic}),
    with({links, total, symmetric, cutoff, payload}),
    with({links, symmetric, periodic}),
    with({metric, summary, total, symmetric, cutoff, displacement, payload}),
    with({metric, summary, links, symmetric, cutoff, payload, periodic}),
    with({total, symmetric, displacement}),
    with({metric, links, total, symmetric, displacement, payload, periodic}),
    with({summary, symmetric, cutoff}),
};
inline constexpr int first_symmetric = 10, all_choices = int(std::size(choices));

/// 1: on, 0: off, -1: not said.
using Setting = std::array<signed char, switches>;

/// Whether a trait can be like this, by the rules of walk/check.hpp.
consteval bool possible(Setting s) {
    constexpr Switch needs[][2]{{far, summary}, {idle, summary}};
    constexpr Switch apart[][2]{{symmetric, ordered}, {symmetric, far},   {symmetric, scratch},
                                {symmetric, reach},   {symmetric, state}, {symmetric, idle},
                                {cutoff, ordered}};
    for (auto const& [one, other] : needs)
        if (s[one] == 1) {
            if (s[other] == 0) return false;
            s[other] = 1;
        }
    for (auto const& [one, other] : apart)
        if (s[one] == 1 && s[other] == 1) return false;
    return true;
}
consteval bool in_table(Setting const& wanted) {
    for (Choice const& choice : choices) {
        bool same = true;
        for (int i = 0; i < switches; ++i) same = same && (wanted[i] < 0 || wanted[i] == choice[i]);
        if (same) return true;
    }
    return false;
}
consteval bool has_all_pairs() {
    for (int i = 0; i < switches; ++i)
        for (int j = 0; j < i; ++j)
            for (int values = 0; values < 8; ++values) {
                Setting s;
                s.fill(-1);
                s[symmetric] = values / 4;
                s[i] = values / 2 % 2;
                s[j] = values % 2;
                if (possible(s) && !in_table(s)) return false;
            }
    return true;
}
static_assert(has_all_pairs());

/// The reader of line i of the table.
template <int i>
struct ReaderOf {
    static constexpr int D = choices[i][periodic] ? 2 : 3;
    using Space = std::conditional_t<choices[i][periodic], Periodic<D, float>, Open<D, float>>;
    using type = Reader<D, Space, uses_of(choices[i]), choices[i][payload]>;
};

/// Targets and sources, or one for both.
struct Shape {
    std::string name;
    TreeOptions targets;
    std::optional<TreeOptions> sources;
};
inline std::vector<Shape> const& shapes() {
    TreeOptions const deep{.leaf_size = 3, .coarsening = 2, .top_nodes = 1};
    TreeOptions const middle{.leaf_size = 8, .coarsening = 3, .top_nodes = 8};
    TreeOptions const shallow{.leaf_size = 12, .coarsening = 4, .top_nodes = 1000};
    static std::vector<Shape> const all{
        {"deep, itself", deep, {}},       {"middle, itself", middle, {}},
        {"shallow, itself", shallow, {}}, {"deep, shallow", deep, shallow},
        {"shallow, deep", shallow, deep}, {"middle, deep", middle, deep}};
    return all;
}

/// All that comes of a walk.
struct Outcome {
    std::vector<std::uint64_t> out;
    Sums total;
    std::vector<pos_t> group;
    friend bool operator==(Outcome const&, Outcome const&) = default;
};

template <class R, class Walker>
Outcome outcome(Walker const& walker, Known<R::D> const& targets, Known<R::D> const& sources,
                std::uint32_t& decisions) {
    Outcome o;
    o.out.resize(targets.tree.size());
    Cpu const one(1);
    auto parent = links_init(one, targets.tree.size());
    Notes notes;
    R reader;
    if constexpr (std::is_same_v<typename R::Space, Periodic<2, float>>) reader.space = {{1, 1.5f}};
    reader.targets = &targets;
    reader.sources = &sources;
    reader.notes = &notes;
    reader.out = o.out.data();
    reader.links = {parent.data()};
    reader.radius2 = R::D == 2 ? .002f : .01f;
    WalkInputs<R> inputs;
    if constexpr (!std::is_empty_v<typename R::Payload>) {
        inputs.target_payload = targets.payload.view();
        inputs.source_payload = sources.payload.view();
    }
    inputs.links = parent.data();
    inputs.total = &o.total;
    walker(reader, reader.space, targets.tree, sources.tree, inputs);
    INFO(names_of(notes.flaws));
    CHECK(notes.flaws == 0);
    decisions |= notes.decisions;
    links_settle(one, parent);
    if constexpr (R::uses.links) o.group.assign(parent.begin(), parent.end());
    return o;
}

/// Points of which every third stands where another one does.
template <int D>
Rows<D, float> rows_with_equals(std::size_t n, std::uint64_t seed) {
    auto rows = make_points<D, float>("uniform", n, seed);
    for (std::size_t i = 2; i < n; i += 3) rows[i] = rows[i / 3];
    return rows;
}
template <class R>
Known<R::D> known_of(Tree<float, Cpu> const& tree, std::uint64_t seed) {
    Random random(seed);
    std::vector<Mark> marks(tree.size());
    for (pos_t i = 0; i < tree.size(); ++i) {
        marks[i] = {std::uint32_t(random.bits()), float(random.uniform())};
        marks[i].bits = marks[i].bits / 2 * 2 + (tree.template points<R::D>().at(0, i) < .4f);
        if constexpr (std::is_empty_v<typename R::Payload>) marks[i] = R::mark_without_payload(i);
    }
    return {tree, std::move(marks)};
}

/// walker(cpu, trait, space, targets, sources, inputs), and how many threads it may have.
template <class F>
struct Way {
    int threads;
    F walker;
};

/// The walk of reader R over targets and sources, in all ways, against the reference walk. Returns what was
/// decided.
template <class R, class... F>
std::uint32_t compare_ways(Known<R::D> const& targets, Known<R::D> const& sources,
                           Way<F> const&... ways) {
    std::uint32_t decisions = 0;
    auto const by = [&](int threads, auto const& walker) {
        Cpu const cpu(threads);
        auto const on_cpu = [&](auto const&... arguments) { walker(cpu, arguments...); };
        return cpu.run([&] { return outcome<R>(on_cpu, targets, sources, decisions); });
    };
    auto const expected = by(1, [](Cpu const&, auto const&... a) { reference_walk(a...); });
    int way = 0;
    auto const compare = [&](auto const& w) {
        CAPTURE(way);
        CHECK(by(w.threads, w.walker) == expected);
        ++way;
    };
    (compare(ways), ...);
    return decisions;
}

/// Line i of the table.
template <int i, class... F>
void check_services(std::uint64_t seed, Way<F> const&... ways) {
    using R = typename ReaderOf<i>::type;
    constexpr int D = R::D;
    CAPTURE(i);
    CAPTURE(seed);
    Cpu const cpu(1);
    std::uint32_t decisions = 0;
    auto const sources = rows_with_equals<D>(300, seed), targets = rows_with_equals<D>(220, seed + 1);
    for (Shape const& shape : shapes()) {
        // Links and pairs are those of one hierarchy.
        if (shape.sources && (R::uses.links || R::uses.symmetric)) continue;
        CAPTURE(shape.name);
        auto const tree_of = [&](auto const& rows, TreeOptions const& options) {
            return cpu.run([&] { return build_tree(cpu, view<D>(rows), D, options); });
        };
        auto const tree = tree_of(targets, shape.targets);
        auto const known = known_of<R>(tree, seed + 2);
        if (!shape.sources) {
            decisions |= compare_ways<R>(known, known, ways...);
            continue;
        }
        auto const other = tree_of(sources, *shape.sources);
        decisions |= compare_ways<R>(known, known_of<R>(other, seed + 3), ways...);
    }
    CHECK(decisions == (R::can_accept ? 0b111 : 0b011));  // all that there are: nothing is met in vain
}

/// Lines [begin, end) of the table.
template <int begin, int end, class... F>
void check_lines(std::uint64_t seed, Way<F> const&... ways) {
    [&]<int... i>(std::integer_sequence<int, i...>) { (check_services<begin + i>(seed, ways...), ...); }
    (std::make_integer_sequence<int, end - begin>{});
}

}  // namespace test
