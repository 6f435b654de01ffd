// A trait against itself: one call that tries it on hard points, on trees of all shapes, and hook by hook.
//
//   #include <zwalk/testing/verify.hpp>
//   auto const report = zwalk::verify(RadiusCount<3, float>{...}, zwalk::Outputs{&RadiusCount<3, float>::count});
//   if (!report.ok()) std::cerr << report;
//
// The answer it is held to is brute force: its own begin, visit and end (or pair) over all pairs of points. So verify()
// finds what decide, accepts, summaries, bounds and the like make of them; that visit() computes what it should, only
// a test with known answers can tell.
#pragma once
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/core/box_lengths.hpp"
#include "zwalk/run/cpu.hpp"
#include "zwalk/run/host_device.hpp"
#include "zwalk/testing/detail/compare.hpp"
#include "zwalk/testing/detail/trial.hpp"
#include "zwalk/testing/points.hpp"
#include "zwalk/testing/report.hpp"

namespace zwalk { inline namespace v0 {

struct VerifyOptions {
    std::uint64_t seed = 1;
    BoxLengths box{};  ///< as that of make_tree; points are moved into it. Empty: open space
    /// Floating point numbers may differ by this times the largest number of their row (see testing::same): for sums in
    /// another order, and for far fields that are meant to be approximate. 0: the same bits.
    double tolerance = 0;
    /// The absolute difference that they may have instead: for results with an error that is guaranteed as such.
    double absolute_tolerance = 0;
    /// Kinds of points, see testing::make_points.
    std::vector<std::string> kinds{"uniform", "clustered", "sites40", "equal",
                                   "line",    "grid",      "zeros",   "outlier"};
    std::vector<std::size_t> sizes{0, 1, 2, 3, 40, 150};
    /// Size of sets of uniform and clustered points that are many enough for threads to share them. 0: none
    std::size_t many = 5000;
    int threads = 4;
    /// Children of accepted pairs must be accepted or discarded as well, as the contract has it (Decision). False for traits
    /// that accept large nodes only, because it doesn't pay for small ones: MPI ranks refuse to walk these.
    bool accepts_stay = true;
    /// Targets and sources may be different trees. (Those of symmetric traits and of traits with links never are.)
    bool two_trees = true;
    /// Results of symmetric traits may have other bits in each tree and run, within the tolerance: those that add up floats.
    bool any_order = false;
    bool device = true;  ///< also on a HostDevice, by the kernels that a GPU would run
};

namespace testing {

/// One run of a program with liberties, and what is wrong if it differs from brute force.
struct LibertyTrial {
    Liberties may;
    char const* hook;
    char const* what;
    bool Uses::*needs;  ///< null: all traits
};
/// One liberty after the other.
std::vector<LibertyTrial> const& liberty_trials();
/// Which of the hooks that only the fast walk calls are there.
std::string fast_hooks(std::vector<WalkedTrait> const& walked);
/// Adds an exception of the hook that it names, as in "decide() accepts ...".
void add_thrown(Report& report, std::string const& sentence, Scene const& scene);
/// What is wrong with a symmetric trait that adds up floats, or writes to both points of a pair.
inline constexpr char const* depends_on_order =
    "gives other bits where pairs come in another order, as on several threads, which may also lose "
    "what they write to one "
    "place at once: add whole numbers to sink.total(), or meet each pair from both sides, by visit and "
    "end";
/// The hook that probably writes where other threads write.
char const* writing_hook(TrialPlan const& plan);

template <int D, class T>
void move_into_box(Rows<D, T>& rows, std::vector<double> const& box) {
    for (auto& row : rows)
        for (std::size_t j = 0; j < D && !box.empty(); ++j)
            if (T const length = T(box[box.size() == 1 ? 0 : j]); length > 0) {
                row[j] = std::fmod(row[j], length);
                if (row[j] < 0) row[j] += length;
            }
}

/// The points of a tree that a program runs on, and others of their kind. (Of a program of verify(trait, outputs).)
template <int D, class T>
struct Sets {
    Rows<D, T> own, others;
};

/// What a program returns for a tree.
template <int D, class T, class Program, class Tree>
auto result_of(Program const& program, Tree const& tree, Sets<D, T> const& sets) {
    if constexpr (std::is_invocable_v<Program const&, Tree const&, Sets<D, T> const&>)
        return program(tree, sets);
    else return program(tree);
}

template <int D, class T, class Program>
class Verification {
    using Result = decltype(result_of<D, T>(std::declval<Program const&>(),
                                            std::declval<PointTree<D, T, Trial> const&>(),
                                            std::declval<Sets<D, T> const&>()));
    static_assert(!std::is_void_v<Result>, "zwalk: the program must return what it has found");

  public:
    Verification(Program const& program, VerifyOptions const& options)
        : program_(program), options_(options) {
        report_.seed = options.seed;
        plan_.broken = [this](auto const& hook, auto const& what, auto const& where) {
            report_.add(hook, what, where + " of " + describe(scene_));
            is_fickle_ = is_fickle_ || what == changes_its_mind;
        };
    }

    Report run() {
        for (std::size_t n : options_.sizes)
            for (auto const& kind : options_.kinds) check_points(kind, n);
        if (options_.many > 0)
            for (auto const* kind : {"uniform", "clustered"}) check_points(kind, options_.many);
        report_.decisions = plan_.decisions;
        report_.takes_accepted = plan_.takes_accepted;
        return report_;
    }

  private:
    /// The program's result on a tree of this place; nothing if it throws.
    template <class P>
    std::optional<Result> run_on(P& place, pos_t leaf_size, char const* what) {
        scene_.leaf_size = leaf_size;
        scene_.place = what;
        ++report_.walks;
        TreeOptions const usual{},
            small{.leaf_size = leaf_size, .coarsening = 2 + leaf_size % 3, .top_nodes = 1};
        using Tree = PointTree<D, T, P>;
        static_assert(std::is_same_v<Result, decltype(result_of<D, T>(
                                                 program_, std::declval<Tree const&>(), sets_))>,
                      "zwalk: the program must return the same type for trees of every place");
        try {
            return result_of<D, T>(
                program_, make_tree<D>(place, sets_.own, {options_.box, leaf_size ? small : usual}),
                sets_);
        } catch (std::exception const& error) {
            add_thrown(report_, error.what(), scene_);
            return {};
        }
    }
    std::optional<Result> reference(Liberties may, pos_t leaf_size, char const* what) {
        plan_.way = TrialPlan::Way::reference;
        plan_.may = may;
        Trial place(Cpu(1), plan_);
        return run_on(place, leaf_size, what);
    }
    [[nodiscard]] Closeness near() const { return {options_.tolerance, options_.absolute_tolerance}; }
    /// Adds a finding if a result isn't the expected one. False if so, or without result.
    bool compare(std::optional<Result> const& found, Result const& expected, Closeness const& near,
                 std::string const& hook, std::string const& what) {
        if (!found) return false;
        auto const where = difference(expected, *found, near);
        if (where) report_.add(hook, what, *where + " of " + describe(scene_));
        return !where;
    }

    void check_points(std::string_view kind, std::size_t n) {
        bool const many = n > 1000;
        scene_ = {kind, n, options_.seed, 0, {}};
        ++report_.sets;
        sets_ = {make_points<D, T>(std::string(kind), n, options_.seed),
                 make_points<D, T>(std::string(kind), n / 2 + 1, options_.seed + 1)};
        for (auto* rows : {&sets_.own, &sets_.others}) move_into_box<D, T>(*rows, options_.box);
        plan_.walked.clear();
        if (!many) check_rules();
        if (is_fickle_) return;  // walks that call decide() twice would write beyond their lists
        auto const expected = reference({}, pos_t(n) + 1, "brute force");
        if (!expected) return;
        bool right = many || check_hooks(*expected);
        if (right)
            for (pos_t leaf : many ? std::vector<pos_t>{0} : std::vector<pos_t>{1, 5, pos_t(n) + 1})
                right &= check_together(*expected, leaf);
        if (!right) return;  // fast walks would find the same again
        if (!many && !check_positions(*expected)) return;
        if (!check_threads(*expected, many)) return;
        if (options_.two_trees) check_two_trees(*expected);
        if (options_.device && !many) check_device(*expected);
    }

    /// Results are those of a reference walk, after outputs have been written to in another way.
    void check_rules() {
        plan_.way = TrialPlan::Way::rules;
        plan_.may = {};
        plan_.rules = {near(), options_.accepts_stay, options_.seed};
        for (pos_t leaf : {1, 5}) {
            Trial place(Cpu(1), plan_);
            run_on(place, leaf, "hooks at random");
        }
    }
    bool check_hooks(Result const& expected) {
        bool right = true;
        for (pos_t leaf : {1, 5})
            for (LibertyTrial const& trial : liberty_trials())
                if (!trial.needs || plan_.any(trial.needs))
                    right &= compare(reference(trial.may, leaf, "reference walk"), expected, near(),
                                     trial.hook, trial.what);
        return right;
    }

    bool check_together(Result const& expected, pos_t leaf) {
        return compare(reference(all_liberties, leaf, "reference walk"), expected, near(), "decide",
                       "differs from brute force where all hooks work together");
    }
    bool check_positions(Result const& expected) {
        plan_.shift = 1;
        bool right = true;
        for (pos_t leaf : {1, 5}) {
            auto close = near();
            close.shift = plan_.shift;
            right &= compare(reference(all_liberties, leaf, "reference walk"), expected, close, "visit",
                             "reads or writes an array at a position (q.position), which is no number "
                             "of a target on MPI ranks: what is known of a source is its payload; or "
                             "depends on positions in another way");
        }
        plan_.shift = 0;
        return right;
    }
    void blame_walk(std::optional<Result> const& found, Result const& expected, pos_t leaf) {
        scene_.leaf_size = leaf;
        scene_.place = "one thread";
        compare(found, expected, near(), "walk",
                "differs from brute force, though the reference walk doesn't; hooks that only the walk "
                "calls: " +
                    fast_hooks(plan_.walked));
    }
    bool check_threads(Result const& expected, bool many) {
        Cpu one(1), some(options_.threads);
        pos_t const n = pos_t(sets_.own.size());
        bool const symmetric = plan_.any(&Uses::symmetric);
        // Where several threads add up in memory, floating point sums depend on which one comes first.
        Closeness const same_bits = symmetric && options_.any_order ? near() : Closeness{};
        bool right = true;
        std::optional<Result> first;
        std::vector<pos_t> leaves{0, 7};
        if (!many) leaves = {0, 1, 3, n - (n > 1), n + (n == 0), n + 1};
        for (pos_t leaf : leaves) {
            auto const alone = run_on(one, leaf, "one thread");
            if (!alone || difference(expected, *alone, near())) {
                right = false;
                if (check_together(expected, leaf)) blame_walk(alone, expected, leaf);
                continue;
            }
            if (!first) first = alone;
            if (symmetric && !compare(alone, *first, same_bits, "pair", depends_on_order)) return false;
            for (int again = 0; again < 2; ++again)
                right &= compare(
                    run_on(some, leaf, "several threads"), *alone, same_bits, writing_hook(plan_),
                    "gives other results on several threads: something is written that is not the "
                    "target's own, or depends on the order of visits");
        }
        return right;
    }
    void check_two_trees(Result const& expected) {
        plan_.way = TrialPlan::Way::two_trees;
        for (pos_t leaf : {0, 1, 20}) {
            Trial place(Cpu(1), plan_);
            compare(run_on(place, leaf, "sources in a tree of their own"), expected, near(), "decide",
                    "differs from brute force where targets and sources are two trees");
        }
    }
    void check_device(Result const& expected) {
        HostDevice<true> device;
        for (pos_t leaf : {0, 1, 3}) {
            device.budget = leaf == 3 ? 3000 : 0;  // in pieces
            compare(run_on(device, leaf, "device code on the host"), expected, near(), "device",
                    "differs from brute force in device code, though threads don't");
        }
        if (device.run.races > 0)
            report_.add("device", "has races between the lanes of a group", describe(scene_));
    }

    Program const& program_;
    VerifyOptions options_;
    Report report_;
    TrialPlan plan_;
    Scene scene_;
    Sets<D, T> sets_;
    bool is_fickle_ = false;
};

/// A payload for each of n rows: numbers in [0, 1), every other row's from a few, so that there are ties; integers below 8.
template <class A>
std::vector<A> random_payload(std::size_t n, std::uint64_t seed) {
    Random random(seed);
    std::vector<A> rows(n);
    for (std::size_t i = 0; i < n; ++i) {
        auto const set = [&](auto& x) {
            using V = std::remove_reference_t<decltype(x)>;
            double const u = i % 2 ? double(random.below(8)) / 8 : random.uniform();
            if constexpr (std::is_floating_point_v<V>) x = V(u);
            else x = V(u * 8);
        };
        auto const set_field = [&](auto& x) {
            if constexpr (std::is_arithmetic_v<std::remove_reference_t<decltype(x)>>) set(x);
            else
                for (auto& component : x.v) set(component);
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (set_field(zwalk::detail::field<I>(rows[i])), ...);
        }
        (zwalk::detail::FieldSequence<A>{});
    }
    return rows;
}

}  // namespace testing

/// Runs a program on hard points and on trees of all shapes, in every way in which its traits may be walked, and compares
/// what it returns; tries the hooks of its traits one by one.
///
/// Ways: brute force; reference walks (checked, see walk/checked.hpp) that take one liberty each: discards, accepts,
/// reach, horizon, cutoff, whole, idle, and have positions that are no numbers of targets; hooks at random, for what
/// walk/interaction.hpp says of them; the walk on one and several threads, repeated; targets and sources in trees of their
/// own; a HostDevice, with checks for conflicts between the lanes of a group.
///
/// @param program  what runs on any tree: `program(auto const& tree)`, tree being that of make_tree() on some place. Returns what is
///                 compared: a value, a vector of one value for each row, or a tuple of such; the same type for
///                 every place. For values see testing::same().
/// @throws nothing of what the program throws: that is a finding, too
template <int D, class T, class Program>
testing::Report verify(Program const& program, VerifyOptions const& options = {}) {
    return testing::Verification<D, T, Program>(program, options).run();
}

/// Pointers of a trait to its outputs: one value for each target, at its index.
template <class... Members>
struct Outputs {
    std::tuple<Members...> members;
    constexpr explicit(false) Outputs(Members... m) : members(m...) {}
};

/// A payload of numbers at random (testing::random_payload).
struct RandomPayload {};

/// Verifies a trait whose outputs have one value for each target, and begin as zeros. Totals and labels are compared, too.
/// Unless they meet one tree alone (symmetric, links), traits are also walked with other points as targets.
/// @param payload_of  payload_of(row, point) is what a point carries, a std::array of coordinates: for traits that rely on more
///                    than random numbers have
template <class I, class... V, class... Owner, class PayloadOf = RandomPayload>
testing::Report verify(I const& trait, Outputs<V * Owner::*...> const& outputs,
                       VerifyOptions const& options = {}, PayloadOf const& payload_of = {}) {
    using T = typename I::real;
    using Payload = typename I::Payload;
    constexpr int D = I::dim;
    constexpr bool meets_others = !I::uses.symmetric && !I::uses.links;
    auto const payload = [&]([[maybe_unused]] testing::Rows<D, T> const& rows) {
        if constexpr (std::is_same_v<PayloadOf, RandomPayload>) {
            return testing::random_payload<Payload>(rows.size(), options.seed);
        } else {
            std::vector<Payload> all;
            for (std::size_t i = 0; i < rows.size(); ++i) all.push_back(payload_of(i, rows[i]));
            return all;
        }
    };
    // The outputs of targets, and what walk(trait) returns.
    auto const walked = [&](auto const& targets, auto const& walk) {
        I bound = trait;
        auto arrays = std::tuple(targets.template array<V>(V{})...);
        std::apply(
            [&](auto... member) {
                std::apply([&](auto&... array) { ((bound.*member = array.data()), ...); }, arrays);
            },
            outputs.members);
        auto const found = walk(bound);
        return std::apply(
            [&](auto const&... array) {
                return std::tuple(array.in_input_order()..., found.total, found.labels);
            },
            arrays);
    };
    auto const program = [&](auto const& tree, testing::Sets<D, T> const& sets) {
        auto const own = walked(tree, [&](I const& bound) {
            if constexpr (std::is_empty_v<Payload>) return tree.walk(bound);
            else return tree.walk(bound, tree.payload(payload(sets.own)));
        });
        if constexpr (!meets_others) {
            return own;
        } else {
            if (!options.two_trees) return std::tuple_cat(own, own);
            auto const others = tree.targets(Points<T>(sets.others));
            auto const of_others = walked(others, [&](I const& bound) {
                if constexpr (std::is_empty_v<Payload>) return others.walk_against(tree, bound);
                else
                    return others.walk_against(tree, bound, others.payload(payload(sets.others)),
                                               tree.payload(payload(sets.own)));
            });
            return std::tuple_cat(own, of_others);
        }
    };
    return verify<D, T>(program, options);
}

}}  // namespace zwalk::v0
