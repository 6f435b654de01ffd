// The Job (job.hpp) of zwalk knn, in one process and on ranks.
//
// What these differ in is behind one more class: where the points come from that are searched, OwnSources (knn_sources.hpp) or
// RankSources (knn_ranks.cpp). That is points or an index, read or made of points. Such a class has types Place and Directory, those of
// the Job, and P, that of results (run/where.hpp); and
//
//   has_index()
//   read(place, file, plan)           the index of a file: points of which only size, columns and box are there
//   make<T>(points, plan, stats)      an index of these points
//   write<T>(path, name)              writes it
//   at<T>(points, plan, cpu, f)       f(what is searched, options, where...)
//   find<T>(call, plan, directory, see, options, where...)
//                                     call(f, arguments...) is f() of what is searched, with these arguments: returns the lists, or
//                                     writes them where they are too many. see(lists) of each piece
//   finish<T>(plan, queried, found)   adds what is known of the index
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "job.hpp"
#include "knn.hpp"
#include "knn_found.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {

struct KnnPlan : CommonPlan {
    KnnOptions knn;
    bool gpu_aware = false;  ///< on ranks: Mpi::gpu_aware
    /// Options for an index, which has a box of its own.
    [[nodiscard]] KnnOptions of_index() const {
        KnnOptions options = knn;
        options.box.clear();
        return options;
    }
};
/// Everything that the options settle before a file is read.
/// @throws InputError
KnnPlan knn_plan(KnnCommand const& command);
/// The note on a k that is larger than the number of points to be found; "" if it isn't.
std::string few_points_note(KnnOptions const& options, std::uint64_t sources, bool lists);

/// Neighbours, or one number for each point instead, on a place P.
template <class T, class P>
struct KnnFound {
    KnnResult<T, P> lists;
    KnnReduced<T, P> reduced;
    Stats stats;
};

template <class Sources>
class KnnJob {
  public:
    using Command = KnnCommand;
    using Place = typename Sources::Place;
    using Directory = typename Sources::Directory;
    template <class T>
    using Found = KnnFound<T, typename Sources::P>;

    KnnCommand const& o;
    KnnPlan plan;
    std::string name = "neighbours";
    io::PointSet queries{};
    io::PointSet masses{};  ///< in the precision of the points; size 0: not given

    explicit KnnJob(KnnCommand const& command) : o(command), plan(knn_plan(command)) {
        if (!searches()) name = "index";
        if (!o.reduce.empty()) what_ = reduction_of(o);
    }
    std::vector<double>& box() { return plan.knn.box; }

    io::PointSet read_points(Place& place) {
        if (o.index.empty()) return read_input(place, o.input, plan);
        auto points = sources_.read(place, o.index, plan);
        place.agree([&] {
            plan.sphere.refuse(
                points.dim != 3 || !points.box.empty(),
                "the index was saved without it; leave it out, or save the index with it");
            points.box = box_of_index(o, std::move(points.box));
        });
        return points;
    }
    void prepare(Directory& out) {
        directory_ = &out;
        if (!o.save_index.empty()) index_file_ = out.add_side_file(o.save_index, o.force);
    }
    template <class AnyPlace>
    std::uint64_t read_more(AnyPlace& place, io::PointSet const& points) {
        if (what_) place.agree([&] { check_reduction_of_points(*what_, points.dim); });
        if (!o.masses.empty()) {
            masses = place.read(o.masses, {points.precision(), masses_beside(plan.read.dataset)});
            place.agree([&] { check_masses(o.masses, masses, points.total); });
        }
        if (!o.query.empty()) {
            queries = read_more_points(place, o.query, "queries", plan, points);
            place.agree([&] { check_queries(queries.dim, points.dim); });
        }
        return queries.file_bytes + masses.file_bytes;
    }
    [[nodiscard]] StatCounts shape(io::PointSet const& points) const {
        StatCounts counts{{"sources", points.total}};
        if (searches()) counts.emplace_back("queries", queries_or(points).total);
        counts.emplace_back("dim", std::uint64_t(points.dim));
        if (searches()) counts.emplace_back("k", std::uint64_t(plan.knn.k));
        return counts;
    }

    /// Settles the budget that the search has, so that it follows this plan.
    [[nodiscard]] Need memory(io::PointSet const& points) {
        KnnMemory need = knn_memory(task_of(points.size, points, plan.knn.order));
        need.input += masses.bytes();
        search_budget_ = std::max<std::uint64_t>(1, need.budget);
        return need;
    }
    [[nodiscard]] static std::string memory_help(Need const& need) {
        return need.result > need.working() ? "a smaller k helps, or queries in several files" : "";
    }
    /// Queries come in equal parts. The points of the rank are there once more in z-order, and results once more when they are
    /// brought into the order of the input.
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const {
        Need need = knn_memory(task_of(with_imports(points), points, Order::z));
        need.input = points.bytes() + queries.bytes();
        // Results of as many rows as there are: none of imported points. Lists that don't fit into the budget come in batches.
        std::uint64_t const list = (searches() ? std::uint64_t(plan.knn.k) : 0) *
                                   (sizeof(index_t) + points.item_bytes()),
                            row = what_ ? points.item_bytes() : list;
        bool const twice = plan.order == Order::input || plan.knn.exclude_self;
        need.result = row * queries_or(points).size;
        if (!what_ && plan.budget > 0)
            need.result = std::min(need.result, std::max(list, plan.budget / (1 + twice)));
        need.walk = std::max(need.walk, twice ? need.result : 0);
        for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
        return need;
    }

    template <class T>
    Found<T> compute(Place& place, io::PointSet const& points) {
        Found<T> found;
        if (!o.save_index.empty()) sources_.template make<T>(points, plan, found.stats);
        if (searches()) {
            print_note(few_points_note(plan.knn, points.total, !what_), place.quiet());
            sources_.template at<T>(
                points, plan, cpu(),
                [&](auto const& sources, KnnOptions const& options, auto const&... where) {
                    search<T>(found, sources, options, where...);
                });
        }
        place.agree([&] {
            sources_.template finish<T>(plan, !o.query.empty(), found);
            if (plan.sphere) timed(found.stats, "angles", [&] { to_angles(found); });
        });
        if (o.within && !o.quiet) within_ = place.reduce(within_, std::plus<>());
        return found;
    }
    template <class T>
    void write(Directory& out, Found<T> const& found) const {
        if (!o.save_index.empty()) sources_.template write<T>(index_file_, o.save_index);
        if (!searches()) return;
        if (what_) return out.write(o.reduce + ".npy", found.reduced.values);
        auto const& r = found.lists;
        if (batches_ == 1) {
            out.write("indices.npy", r.indices, r.columns);
            out.write("distances.npy", r.distances, r.columns);
        }
        if (plan.order != Order::z) return;
        write_order(out, r);
        if (!o.query.empty()) out.write("source_order.npy", r.source_order);
    }
    /// What came by parts, which compute() hasn't seen.
    void count_more(FoundWithin const& found) { within_ = within_ + found; }
    void print() const {
        if (!o.query.empty()) fmt::print("queries     {}\n", queries.total);
        if (searches())
            fmt::print("neighbours  {}{}\n", plan.knn.k,
                       batches_ > 1 ? fmt::format(", in {} batches", batches_) : "");
        if (o.within) print_found(o, plan.sphere.shown(plan.knn.within), within_);
    }
    [[nodiscard]] std::string files() const { return files_of(o); }
    void print_end() const {
        if (!o.save_index.empty()) fmt::print("index       {}\n", o.save_index);
    }

  private:
    /// Or only saves an index.
    [[nodiscard]] bool searches() const { return !o.output.empty(); }
    [[nodiscard]] io::PointSet const& queries_or(io::PointSet const& points) const {
        return o.query.empty() ? points : queries;
    }
    [[nodiscard]] Cpu cpu() const { return Cpu(plan.threads, search_budget_.value_or(plan.budget)); }
    [[nodiscard]] KnnTask task_of(std::uint64_t sources, io::PointSet const& points, Order order) const {
        KnnTask task{.points = sources,
                     .dim = points.dim,
                     .k = searches() ? plan.knn.k : 0,
                     .item_bytes = points.item_bytes(),
                     .order = order,
                     .threads = plan.threads,
                     .memory_budget = plan.budget,
                     .indexed = !o.index.empty(),
                     .visited = what_.has_value()};
        if (!o.query.empty()) task.queries = queries.size;
        return task;
    }
    template <class T, class... Where>
    void search(Found<T>& found, auto const& sources, KnnOptions const& options, Where const&... where) {
        auto const call = [&](auto const& f, auto const&... arguments) {
            if (o.query.empty()) return f(sources, arguments...);
            return f(sources, queries.points<T>(), arguments...);
        };
        if (what_) {
            found.reduced = reduced<T>(sources, call, options, where...);
            if (o.within && !o.quiet) within_ = count_found<T>(plan.cpu(), found.reduced.values);
            return take_stats(found, found.reduced.stats);
        }
        auto const see = [&](std::span<index_t const> lists, std::uint64_t batches) {
            batches_ = batches;
            if (o.within && !o.quiet)
                within_ = within_ + count_found(plan.cpu(), lists, std::size_t(plan.knn.k));
        };
        found.lists = sources_.template find<T>(call, plan, *directory_, see, options, where...);
        take_stats(found, found.lists.stats);
    }
    template <class T, class Sought>
    auto reduced(Sought const&, auto const& call, KnnOptions const& options,
                 auto const&... where) const {
        using P = typename Sources::P;
        // On ranks, and on a GPU, there are no masses.
        if constexpr (std::is_same_v<P, Cpu> &&
                      !detail::walks_on_gpu<Sought, std::remove_cvref_t<decltype(where)>...>)
            if (!o.masses.empty())
                return call([](auto const&... all) { return knn_mass_density(all...); },
                            std::span<T const>(masses.points<T>().data, masses.size), *what_, options,
                            where...);
        return call([](auto const&... all) { return knn_reduce(all...); }, *what_, options, where...);
    }
    /// Behind those of an index that was made before.
    template <class T>
    static void take_stats(Found<T>& found, Stats& of_search) {
        of_search.seconds.insert(of_search.seconds.begin(), found.stats.seconds.begin(),
                                 found.stats.seconds.end());
        found.stats = std::move(of_search);
    }
    template <class T>
    void to_angles(Found<T>& found) const {
        for (auto* lengths : {&found.lists.distances, &found.reduced.values}) {
            check_chords(*lengths);
            plan.sphere.to_angles(*lengths);
        }
    }
    /// Refuses distances that can't be chords: an index doesn't show whether its points are on a sphere.
    template <class T>
    static void check_chords(Buffer<T> const& distances) {
        for (T const d : distances)
            if (d > T(2.001) && std::isfinite(d))
                throw InputError(
                    "--sphere: the index was saved without it; leave it out, or save the index with it");
    }

    Sources sources_{};
    std::optional<Reduction> what_{};               // instead of lists
    std::optional<std::uint64_t> search_budget_{};  // that of threads, where it is settled
    std::string index_file_{};                      // to be written
    Directory* directory_ = nullptr;
    std::uint64_t batches_ = 1;  // if there are several, these have been written
    FoundWithin within_{};       // on all ranks
};

}  // namespace zwalk::apps
