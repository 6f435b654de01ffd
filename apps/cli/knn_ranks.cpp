// zwalk knn on several ranks
#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <variant>

#include "../io/file.hpp"
#include "knn.hpp"
#include "knn_found.hpp"
#include "rank_memory.hpp"
#include "ranks.hpp"
#include "zwalk/density/density.hpp"
#include "zwalk/knn/knn_in_batches.hpp"
#include "zwalk/knn/memory.hpp"
#include "zwalk/run/rank_index.hpp"

namespace zwalk::apps {
namespace {

/// Neighbours, or one number for each point instead.
template <class T>
struct Found {
    KnnResult<T, Mpi> lists;
    KnnReduced<T, Mpi> reduced;
    Stats stats;
};

struct Job {
    struct Plan : CommonPlan {
        KnnOptions knn;
    };
    using Command = KnnCommand;
    char const* name = "neighbours";
    KnnCommand const& o;
    Plan plan;
    std::optional<Reduction> what{};  // instead of lists
    io::PointSet queries{};
    std::variant<std::monostate, RankIndex<float>, RankIndex<double>> index{};
    std::string index_file{};  // to be written
    RankDirectory* directory = nullptr;
    std::uint64_t batches = 1;  // if there are several, these have been written
    FoundWithin within{};       // on all ranks

    explicit Job(KnnCommand const& command) : o(command) {
        check_combination(o);
        plan = {common_plan(o), neighbours_of(o)};
        if (!searches()) name = "index";
        if (!o.reduce.empty()) what = reduction_of(o);
    }
    std::vector<double>& box() { return plan.knn.box; }
    /// Or only saves an index.
    [[nodiscard]] bool searches() const { return !o.output.empty(); }

    io::PointSet read_points(Ranks& place) {
        if (o.index.empty()) return place.read(o.input, plan.read);
        auto const item_bytes = place.agree([&] {
            io::check_input_file(o.index);
            return index_item_bytes(o.index);
        });
        return item_bytes == 4 ? read_index<float>(place) : read_index<double>(place);
    }
    void prepare(RankDirectory& out) {
        directory = &out;
        if (!o.save_index.empty()) index_file = out.add_side_file(o.save_index, o.force);
    }
    std::uint64_t read_more(Ranks& place, io::PointSet const& points) {
        if (what) place.agree([&] { check_reduction_of_points(*what, points.dim); });
        if (o.query.empty()) return 0;
        queries = read_more_points(place, o.query, "queries", plan, points);
        place.agree([&] { check_queries(queries.dim, points.dim); });
        return queries.file_bytes;
    }

    /// Queries come in equal parts. The points of the rank are there once more in z-order, and results once more when they are
    /// brought into the order of the input.
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const {
        KnnTask task{.points = with_imports(points),
                     .dim = points.dim,
                     .k = searches() ? plan.knn.k : 0,
                     .item_bytes = points.item_bytes(),
                     .order = Order::z,
                     .threads = plan.threads,
                     .memory_budget = plan.budget,
                     .indexed = !o.index.empty(),
                     .visited = what.has_value()};
        if (!o.query.empty()) task.queries = queries.size;
        Need need = knn_memory(task);
        need.input = points.bytes() + queries.bytes();
        // Results of as many rows as there are: none of imported points. Lists that don't fit into the budget come in batches.
        std::uint64_t const list = (searches() ? std::uint64_t(plan.knn.k) : 0) *
                                   (sizeof(index_t) + points.item_bytes()),
                            row = what ? points.item_bytes() : list;
        bool const twice = plan.order == Order::input || plan.knn.exclude_self;
        need.result = row * (o.query.empty() ? points.size : queries.size);
        if (!what && plan.budget > 0)
            need.result = std::min(need.result, std::max(list, plan.budget / (1 + twice)));
        need.walk = std::max(need.walk, twice ? need.result : 0);
        for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
        return need;
    }
    template <class T>
    Found<T> compute(Ranks& place, io::PointSet const& points) {
        Found<T> found;
        if (!o.save_index.empty())
            index = RankIndex<T>(points.points<T>(), {.box = plan.knn.box}, mpi(), plan.cpu());
        auto* const kept = std::get_if<RankIndex<T>>(&index);
        if (kept) kept->cpu() = plan.cpu();
        if (searches() && plan.device == "cuda") {
            if (kept) search(found, *kept, of_index(plan.knn), plan.cuda());
            else search(found, points.points<T>(), plan.knn, mpi(), plan.cuda(), plan.cpu());
        } else if (searches()) {
            if (kept) search(found, *kept, of_index(plan.knn));
            else search(found, points.points<T>(), plan.knn, mpi(), plan.cpu());
        }
        if (o.within) share_counts(place, found);
        if (kept)
            place.agree([&] {
                auto& seconds = found.stats.seconds;
                auto const& made = kept->stats().seconds;
                if (!o.save_index.empty()) seconds.insert(seconds.begin(), made.begin(), made.end());
                auto& steps = found.stats.steps;
                steps.insert(steps.end(), kept->steps().begin(), kept->steps().end());
            });
        return found;
    }
    template <class T>
    void write(RankDirectory& out, Found<T> const& found) const {
        if (!index_file.empty()) std::get<RankIndex<T>>(index).write(index_file);
        if (searches()) write_found(out, found);
    }
    void print() const {
        if (!o.query.empty()) fmt::print("queries     {}\n", queries.total);
        if (searches())
            fmt::print("neighbours  {}{}\n", plan.knn.k,
                       batches > 1 ? fmt::format(", in {} batches", batches) : "");
        if (o.within) print_found(o, plan.sphere.shown(plan.knn.within), within);
    }
    [[nodiscard]] std::string files() const { return files_of(o); }
    void print_end() const {
        if (!o.save_index.empty()) fmt::print("index       {}\n", o.save_index);
    }

  private:
    [[nodiscard]] Mpi mpi() const { return {.gpu_aware = o.gpu_aware}; }
    /// Options for an index, which has a box of its own.
    static KnnOptions of_index(KnnOptions options) {
        options.box.clear();
        return options;
    }
    /// What is known of the points of the index, without them.
    template <class T>
    io::PointSet read_index(Ranks& place) {
        index = RankIndex<T>::load(o.index, mpi(), plan.cpu());
        return place.agree([&] {
            auto const& read = std::get<RankIndex<T>>(index);
            io::PointSet points;
            points.rows = Buffer<T>();
            points.size = read.rows();
            points.total = read.size();
            points.dim = read.dim();
            points.box = box_of_index(o, read.box());
            points.file_bytes = place.is_first() ? std::filesystem::file_size(o.index) : 0;
            return points;
        });
    }
    /// Among `sources`, with options and what else such a call takes.
    template <class T, class... Rest>
    void search(Found<T>& found, auto const& sources, KnnOptions const& options, Rest const&... rest) {
        auto const take = [&](auto& into, auto&& result) {
            into = std::move(result);
            found.stats = into.stats;
        };
        bool const alone = o.query.empty();
        auto const asking = alone ? Points<T>{} : queries.points<T>();
        if (what)
            return take(found.reduced, alone ? knn_reduce(sources, *what, options, rest...)
                                             : knn_reduce(sources, asking, *what, options, rest...));
        KnnBatch<T> all;
        std::optional<RankArray<index_t>> indices;
        std::optional<RankArray<T>> distances;
        auto const keep_or_write = [&](KnnBatch<T>& batch) {
            batches = batch.batches;
            if (o.within) within = within + count_found(plan.cpu(), batch.indices, batch.columns);
            if (batch.batches == 1) {
                all = std::move(batch);
                return;
            }
            if (!indices) {
                indices.emplace(*directory, "indices.npy", shape_of(batch));
                distances.emplace(*directory, "distances.npy", shape_of(batch));
            }
            indices->write(batch.first, batch.indices);
            distances->write(batch.first, batch.distances);
        };
        take(found.lists,
             alone ? knn_in_batches(sources, options, plan.budget, keep_or_write, rest...)
                   : knn_in_batches(sources, asking, options, plan.budget, keep_or_write, rest...));
        found.lists.indices = std::move(all.indices);
        found.lists.distances = std::move(all.distances);
    }
    /// Brings what was counted on each rank to all. Collective.
    template <class T>
    void share_counts(Ranks& place, Found<T> const& found) {
        if (what) within = count_found<T>(plan.cpu(), found.reduced.values);
        within = place.reduce(within, std::plus<>());
    }
    /// The shape of the lists of all batches of this rank.
    template <class T>
    static std::vector<std::uint64_t> shape_of(KnnBatch<T> const& batch) {
        return {batch.rows_of_rank, batch.columns};
    }
    template <class T>
    void write_found(RankDirectory& out, Found<T> const& found) const {
        if (what) {
            auto const& values = found.reduced.values;
            return out.write(o.reduce + ".npy", values);
        }
        auto const& r = found.lists;
        if (batches == 1) {
            out.write("indices.npy", r.indices, r.columns);
            out.write("distances.npy", r.distances, r.columns);
        }
        if (plan.order != Order::z) return;
        write_order(out, r);
        if (!o.query.empty()) out.write("source_order.npy", r.source_order);
    }
};

}  // namespace

void run_knn_on_ranks(KnnCommand const& command) { run_on_ranks<Job>(command); }
RankMemory knn_memory_on_ranks(KnnCommand const& command, RankShape const& shape) {
    return memory_on_ranks<Job>(command, shape);
}

}  // namespace zwalk::apps
