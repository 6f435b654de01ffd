// zwalk knn on several ranks
#include "knn.hpp"
#include "rank_run.hpp"
#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {
namespace {

/// Neighbours, or one number for each point instead.
template <class T>
struct Found {
    KnnOnRanks<T> lists;
    KnnReducedOnRanks<T> reduced;
    Stats stats;
    std::vector<StepStats> steps;
};

struct Job {
    struct Plan : CommonPlan {
        KnnOptions knn;
    };
    static constexpr char const* name = "neighbours";
    KnnCommand const& o;
    Plan plan;
    std::optional<Reduction> what{};  // instead of lists
    io::PointSet queries{};

    explicit Job(KnnCommand const& command) : o(command) {
        check_options_on_ranks(o);
        refuse_on_ranks(!o.index.empty(), "--index");
        refuse_on_ranks(!o.save_index.empty(), "--save-index");
        check_combination(o);
        plan = {common_plan(o), neighbours_of(o)};
        if (!o.reduce.empty()) what = reduction_of(o);
    }
    std::vector<double>& box() { return plan.knn.box; }

    std::uint64_t read_more(Comm& comm, io::PointSet const& points) {
        if (what) comm.agree([&] { check_reduction_of_points(*what, points.dim); });
        if (o.query.empty()) return 0;
        queries = read_own_queries(comm, o.query, plan.read, points, o.quiet);
        return queries.file_bytes;
    }

    /// Of a rank that has imported half as many points as it has, and queries in equal parts. Its points are there once more
    /// in z-order, and results once more when they are brought into the order of the input.
    [[nodiscard]] KnnMemory memory(io::PointSet const& points) const {
        KnnTask task{.points = points.size + points.size / 2,
                     .dim = points.dim,
                     .k = plan.knn.k,
                     .item_bytes = points.item_bytes(),
                     .order = Order::z,
                     .threads = plan.threads,
                     .memory_budget = plan.budget,
                     .visited = what.has_value()};
        if (!o.query.empty()) task.queries = queries.size;
        KnnMemory need = knn_memory(task);
        need.input = points.bytes() + queries.bytes();
        // Of so many rows as there are: not those for what is imported.
        std::uint64_t const list = std::uint64_t(plan.knn.k) * (sizeof(index_t) + points.item_bytes()),
                            row = what ? points.item_bytes() : list;
        need.result = row * (o.query.empty() ? points.size : queries.size);
        std::uint64_t const again = plan.order == Order::input ? need.result : 0;
        need.walk = std::max(need.walk, again);
        for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += need.input;
        return need;
    }
    template <class T>
    Found<T> compute(Comm&, io::PointSet const& points) const {
        Found<T> found;
        auto const take = [&](auto& into, auto&& result) {
            into = std::move(result);
            found.stats = into.stats;
            found.steps = into.steps;
        };
        bool const alone = o.query.empty();
        auto const own = points.points<T>(), asking = alone ? Points<T>{} : queries.points<T>();
        if (what)
            take(found.reduced, alone ? knn_reduce(own, *what, plan.knn, Mpi{}, plan.cpu())
                                      : knn_reduce(own, asking, *what, plan.knn, Mpi{}, plan.cpu()));
        else
            take(found.lists, alone ? knn(own, plan.knn, Mpi{}, plan.cpu())
                                    : knn(own, asking, plan.knn, Mpi{}, plan.cpu()));
        return found;
    }
    template <class T>
    void write(RankDirectory& out, Found<T> const& found) const {
        if (what) {
            auto const& values = found.reduced.values;
            return out.write_npy<T>(o.reduce + ".npy", {values.size()}, values);
        }
        auto const& r = found.lists;
        out.write_npy<index_t>("indices.npy", {r.rows, r.columns}, r.indices);
        out.write_npy<T>("distances.npy", {r.rows, r.columns}, r.distances);
        if (plan.order != Order::z) return;
        out.write_npy<index_t>("order.npy", {r.rows}, r.row_order);
        if (!o.query.empty())
            out.write_npy<index_t>("source_order.npy", {r.source_order.size()}, r.source_order);
    }
    template <class T>
    void print(Found<T> const&) const {
        if (!o.query.empty()) fmt::print("queries     {}\n", queries.total);
        fmt::print("neighbours  {}\n", plan.knn.k);
    }
    template <class T>
    std::string files(Found<T> const&) const {
        return files_of(o);
    }
};

}  // namespace

void run_knn_on_ranks(KnnCommand const& command, Launch const&) {
    Job job(command);
    run_on_ranks(job, command);
}

}  // namespace zwalk::apps
