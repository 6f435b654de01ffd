// zwalk emst on several ranks
#include <functional>

#include "emst.hpp"
#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/emst/emst.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "tree";
    EmstPlan plan;
    // The edges of all ranks: their number, length and longest one.
    std::uint64_t edges = 0;
    double length = 0, longest = 0;

    explicit Job(EmstCommand const& command) : plan(emst_plan(command)) {}
    std::vector<double>& box() { return plan.emst.box; }
    static std::uint64_t read_more(Comm&, io::PointSet const&) { return 0; }

    [[nodiscard]] Need memory(io::PointSet const& points) const {
        return of_points(
            emst_rank_memory(points.size, points.dim, points.item_bytes(), plan.emst.min_samples), plan,
            points);
    }
    template <class T>
    EmstOnRanks<T> compute(Comm& comm, io::PointSet const& points) {
        auto const rows = points.points<T>();
        auto tree = plan.device == "cuda" ? emst(rows, plan.emst, Mpi{}, plan.cuda(), plan.cpu())
                                          : emst(rows, plan.emst, Mpi{}, plan.cpu());
        double own = 0;
        for (T const l : tree.lengths) own += double(l);
        double const last = tree.lengths.empty() ? 0 : double(tree.lengths.back());
        edges = comm.reduce_all(std::uint64_t(tree.lengths.size()), std::plus<>());
        length = comm.reduce_all(own, std::plus<>());
        longest = comm.reduce_all(last, [](double a, double b) { return std::max(a, b); });
        return tree;
    }
    template <class T>
    void write(RankDirectory& out, EmstOnRanks<T> const& tree) const {
        out.write_npy<index_t>("edges.npy", {tree.lengths.size(), 2}, tree.edges);
        out.write_npy<T>("lengths.npy", {tree.lengths.size()}, tree.lengths);
        if (has_cores())
            out.write_npy<T>("core_distances.npy", {tree.core_distances.size()}, tree.core_distances);
    }
    template <class T>
    void print(EmstOnRanks<T> const&) const {
        fmt::print("edges       {}, together {:.9g} long\n", edges, length);
        if (edges > 0) fmt::print("longest     {}\n", T(longest));
    }
    template <class T>
    std::string files(EmstOnRanks<T> const&) const {
        return has_cores() ? "edges.npy, lengths.npy, core_distances.npy" : "edges.npy, lengths.npy";
    }

  private:
    /// One point alone has none.
    [[nodiscard]] bool has_cores() const { return plan.emst.min_samples > 1 && edges > 0; }
};

}  // namespace

void run_emst_on_ranks(EmstCommand const& command, Launch const&) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(EmstCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
