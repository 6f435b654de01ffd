// zwalk knn on several ranks
#include "knn.hpp"
#include "rank_run.hpp"
#include "zwalk/knn/knn_mpi.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    struct Plan : CommonPlan {
        KnnOptions knn;
    };
    static constexpr char const* name = "neighbours";
    Plan plan;

    explicit Job(KnnCommand const& o) {
        check_options_on_ranks(o);
        refuse_on_ranks(!o.index.empty(), "--index");
        refuse_on_ranks(!o.save_index.empty(), "--save-index");
        refuse_on_ranks(!o.query.empty(), "--query");
        refuse_on_ranks(!o.reduce.empty(), "--reduce");
        check_combination(o);
        plan = {common_plan(o), neighbours_of(o)};
    }
    std::vector<double>& box() { return plan.knn.box; }

    /// Of a rank that has imported half as many points as it has. Its points are there once more in z-order, and results
    /// once more when they are brought into the order of the input.
    [[nodiscard]] KnnMemory memory(io::PointSet const& points) const {
        KnnMemory need = knn_memory({.points = points.size + points.size / 2,
                                     .dim = points.dim,
                                     .k = plan.knn.k,
                                     .item_bytes = points.item_bytes(),
                                     .order = Order::z,
                                     .threads = plan.threads,
                                     .memory_budget = plan.budget});
        need.input = points.bytes();
        need.result -= need.result / 3;
        std::uint64_t const again = plan.order == Order::input ? need.result : 0;
        need.walk = std::max(need.walk, again);
        for (auto* phase : {&need.sort, &need.build, &need.walk}) *phase += points.bytes();
        return need;
    }
    template <class T>
    KnnOnRanks<T> compute(Comm&, io::PointSet const& points) const {
        return knn(points.points<T>(), plan.knn, Mpi{}, plan.cpu());
    }
    template <class T>
    void write(RankDirectory& out, KnnOnRanks<T> const& r) const {
        out.write_npy<index_t>("indices.npy", {r.rows, r.columns}, r.indices);
        out.write_npy<T>("distances.npy", {r.rows, r.columns}, r.distances);
        if (plan.order == Order::z) out.write_npy<index_t>("order.npy", {r.rows}, r.row_order);
    }
    template <class T>
    void print(KnnOnRanks<T> const&) const {
        fmt::print("neighbours  {}\n", plan.knn.k);
    }
    template <class T>
    std::string files(KnnOnRanks<T> const&) const {
        return plan.order == Order::z ? "indices.npy, distances.npy, order.npy"
                                      : "indices.npy, distances.npy";
    }
};

}  // namespace

void run_knn_on_ranks(KnnCommand const& command, Launch const&) {
    Job job(command);
    run_on_ranks(job, command);
}

}  // namespace zwalk::apps
