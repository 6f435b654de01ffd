// The phases of kNN one by one (Google Benchmark):
//
//   bench_phases                                                         the short list, < 1 minute
//   bench_phases --benchmark_filter='nodes/float/clustered/N:1000000/'   any others
//   bench_phases --benchmark_list_tests --benchmark_filter=.             all names
//
// zsort   rows into z-order
// planes  rows into columns, levels of gaps, planes
// boxes   tight boxes of all nodes
// nodes   the walk down to the leaves' lists, which are ordered, and nothing met in the leaves
// walk    all of the walk, by knn's own clock, with the memory of the result
// knn     the public function; beside it nanoseconds per point of each phase by its own clock
//
// zsort, planes, boxes and nodes are called by themselves on prepared input, so their results lie
// in memory that is used again; inside knn they write to fresh pages, and are somewhat slower.
// `walk` can't be taken out of knn without copying its inside; walk minus nodes is what the leaves
// cost.
//
// "Library was built as DEBUG" is about Debian's Google Benchmark: harmless at milliseconds a run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <thread>

#include "support/points.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/nearest/rows.hpp"
#include "zwalk/nearest/trait.hpp"
#include "zwalk/tree/joint.hpp"
#include "zwalk/walk/walk.hpp"
#include "zwalk/zorder/sort.hpp"

namespace {

using namespace zwalk;
constexpr int D = 3;

/// kNN as far as nodes are concerned: its reach and decisions, ordered lists. In the leaves
/// nobody wants anything: no source is within the horizon. In self walks the lists of leaves are made in
/// the leaf step, from the horizons, so they are not part of this.
template <class T>
struct NodesOnly : Types<D, T> {
    using typename Types<D, T>::Node;
    using typename Types<D, T>::Point;
    using typename Types<D, T>::State;
    static constexpr Uses uses{.reach = true, .ordered = true};

    Nearest<D, T, NearestRows<T>> knn;
    explicit NodesOnly(pos_t k) : knn(k) {}

    using Reach = typename Nearest<D, T, NearestRows<T>>::Reach;
    ZWALK_HD Reach reach_begin(Node const& t) const { return knn.reach_begin(t); }
    ZWALK_HD void reach_add(Reach& r, Node const& t, Node const& s, Range<T> d) const {
        knn.reach_add(r, t, s, d);
    }
    ZWALK_HD Key<T> reach_end(Reach const& r, Node const& t) const { return knn.reach_end(r, t); }
    ZWALK_HD Decision decide(Node const& t, Node const& s, Range<T> d) const {
        return knn.decide(t, s, d);
    }

    using Fold = Empty;
    ZWALK_HD Fold begin(Point const&, State const&) const { return {}; }
    ZWALK_HD void visit(Fold&, Point const&, Point const&, T) const {}
    ZWALK_HD Key<T> horizon(Fold const&) const { return {T(-1), 0}; }
    ZWALK_HD void end(Fold&, Point const&) const {}
};

struct Setting {
    std::string kind;
    std::size_t n;
    pos_t k;
    int threads;
};

/// Points and their tree. One is kept, since neighbouring benchmarks use the same.
template <class T>
struct Prepared {
    test::Rows<D, T> rows;
    Tree<T, Cpu> tree;

    static Prepared& of(Setting const& s) {
        static Prepared kept;
        static std::string kept_kind;
        if (kept.rows.size() != s.n || kept_kind != s.kind) {
            kept = {};
            kept.rows = test::make_points<D, T>(s.kind, s.n, 1);
            Cpu const cpu;
            kept.tree = build_tree(cpu, kept.points(), D);
            kept_kind = s.kind;
        }
        return kept;
    }
    [[nodiscard]] Points<T> points() const { return Points<T>(rows); }
};

/// Runs f() until Google Benchmark has enough.
template <class F>
void repeat(benchmark::State& state, Cpu const& cpu, F const& f) {
    cpu.run([&] {
        for (auto _ : state) f();
    });
}

template <class T>
void zsort(benchmark::State& state, Setting const& s) {
    auto const& prepared = Prepared<T>::of(s);
    Cpu const cpu(s.threads);
    repeat(state, cpu, [&] { benchmark::DoNotOptimize(z_sort(cpu, prepared.points()).data()); });
}

template <class T>
void planes(benchmark::State& state, Setting const& s) {
    auto const& prepared = Prepared<T>::of(s);
    Cpu const cpu(s.threads);
    std::size_t const stride = column_stride(s.n);
    Buffer<T> x(D * stride);
    repeat(state, cpu, [&] {
        gather_columns(cpu, prepared.points(), prepared.tree.input, x.data(), stride, D);
        auto const levels = gap_levels(cpu, x.data(), stride, pos_t(s.n), D);
        auto const cut = cut_planes(cpu, levels, TypeCounts{pos_t(s.n), {}}, TreeOptions{});
        benchmark::DoNotOptimize(cut.data());
    });
}

template <class T>
void boxes(benchmark::State& state, Setting const& s) {
    auto& tree = Prepared<T>::of(s).tree;
    Cpu const cpu(s.threads);
    repeat(state, cpu, [&] { set_boxes(cpu, tree); });
}

template <class T>
void nodes(benchmark::State& state, Setting const& s) {
    auto const& tree = Prepared<T>::of(s).tree;
    Cpu const cpu(s.threads);
    NodesOnly<T> const trait(s.k);
    WalkCounts counts;
    repeat(state, cpu, [&] { counts = walk(cpu, trait, Open<D, T>{}, tree, tree); });
    state.counters["list"] = double(counts.leaf_entries) / double(tree.planes.front().nodes());
}

KnnOptions knn_options(Setting const& s) {
    KnnOptions o;
    o.k = s.k;
    return o;
}

template <class T>
void whole_walk(benchmark::State& state, Setting const& s) {
    auto const& prepared = Prepared<T>::of(s);
    for (auto _ : state) {
        auto const r = knn(prepared.points(), knn_options(s), Cpu(s.threads));
        bool found = false;
        for (auto const& [phase, seconds] : r.stats.seconds)
            if (phase == "walk") state.SetIterationTime(seconds), found = true;
        if (!found) return state.SkipWithError("knn doesn't tell the time of its walk");
    }
}

template <class T>
void whole_knn(benchmark::State& state, Setting const& s) {
    auto const& prepared = Prepared<T>::of(s);
    std::map<std::string, double> total;
    for (auto _ : state)
        for (auto const& [phase, t] :
             knn(prepared.points(), knn_options(s), Cpu(s.threads)).stats.seconds)
            total[phase] += t;
    for (auto const& [phase, t] : total)
        state.counters[phase + "_ns"] = t * 1e9 / double(s.n) / double(state.iterations());
}

enum class Clock { outside, knn };

/// Registers one phase for one setting; phases before the walk don't depend on k.
template <class F>
void add(std::string const& phase, std::string const& real, Setting const& s, F const& f, bool with_k,
         Clock clock = Clock::outside) {
    std::string const k = with_k ? fmt::format("/k:{}", s.k) : "";
    auto const name = fmt::format("{}/{}/{}/N:{}{}/threads:{}", phase, real, s.kind, s.n, k, s.threads);
    auto* const b = benchmark::RegisterBenchmark(name.c_str(), [s, f](benchmark::State& state) {
        f(state, s);
        state.SetItemsProcessed(state.iterations() * std::int64_t(s.n));
        // Points per second, inverted: seconds per point, shown as nanoseconds.
        state.counters["per_point"] = benchmark::Counter(
            double(s.n), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    });
    b->Unit(benchmark::kMillisecond);
    clock == Clock::knn ? b->UseManualTime() : b->UseRealTime();
}

template <class T>
void add_phases(std::string const& real, std::string const& kind, std::size_t n, int threads) {
    Setting s{kind, n, 16, threads};
    add("zsort", real, s, zsort<T>, false);
    add("planes", real, s, planes<T>, false);
    add("boxes", real, s, boxes<T>, false);
    for (pos_t k : {16, 4, 64}) {
        s.k = k;
        add("nodes", real, s, nodes<T>, true);
        add("walk", real, s, whole_walk<T>, true, Clock::knn);
        add("knn", real, s, whole_knn<T>, true);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int const all = int(std::thread::hardware_concurrency());
    for (std::size_t n : {std::size_t(1e5), std::size_t(1e6), std::size_t(1e7)})
        for (auto const* kind : {"uniform", "normal", "clustered"}) {
            for (int threads = 1; threads < all; threads *= 2) {
                add_phases<float>("float", kind, n, threads);
                add_phases<double>("double", kind, n, threads);
            }
            add_phases<float>("float", kind, n, all);
            add_phases<double>("double", kind, n, all);
        }
    benchmark::SetBenchmarkFilter(
        fmt::format("/float/uniform/N:10{{5,6}}/(k:16/)?threads:(1|{})/", all));
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
}
