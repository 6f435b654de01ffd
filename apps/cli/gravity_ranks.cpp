// zwalk gravity on several ranks
#include "gravity.hpp"

#include "rank_memory.hpp"
#include "rank_run.hpp"
#include "zwalk/gravity/gravity.hpp"

namespace zwalk::apps {
namespace {

struct Job {
    static constexpr char const* name = "gravity";
    GravityCommand const& o;
    GravityPlan plan;
    std::vector<double> masses{};

    explicit Job(GravityCommand const& command) : o(command), plan(gravity_plan(command)) {}
    std::vector<double>& box() { return plan.gravity.box; }

    std::uint64_t read_more(Comm& comm, io::PointSet const& points) {
        if (!o.masses.empty())
            masses = read_own_column(comm, o.masses, masses_beside(plan.read.dataset), points.total,
                                     "masses");
        plan.gravity.masses = masses;
        return masses.size() * sizeof(double);
    }
    /// Memory of a rank that has imported half as many points as it has. Its points are there once more in z-order, and results
    /// once more when they are brought into the order of the input.
    [[nodiscard]] Need memory(io::PointSet const& points) const {
        Need need = of_points(
            gravity_memory(points.size + points.size / 2, points.dim, points.item_bytes(), plan.gravity),
            plan, points);
        need.input += masses.size() * sizeof(double);
        need.result = 2 * (std::uint64_t(points.dim) + 1) * points.item_bytes() * points.size;
        for (auto* phase : {&need.sort, &need.walk}) *phase += points.bytes();
        return need;
    }
    template <class T>
    GravityOnRanks<T> compute(Comm&, io::PointSet const& points) const {
        auto const own = points.points<T>();
        return plan.device == "cuda" ? gravity(own, plan.gravity, Mpi{}, plan.cuda(), plan.cpu())
                                     : gravity(own, plan.gravity, Mpi{}, plan.cpu());
    }
    template <class T>
    void write(RankDirectory& out, GravityOnRanks<T> const& r) const {
        out.write_npy<T>("accelerations.npy", {r.rows, r.columns}, r.accelerations);
        out.write_npy<T>("potentials.npy", {r.rows}, r.potentials);
        if (plan.order == Order::z)
            out.write_npy<index_t>("order.npy", {r.row_order.size()}, r.row_order);
    }
    template <class T>
    void print(GravityOnRanks<T> const& r) const {
        print_expansions(plan, r.expansion_order, r.opening);
    }
    template <class T>
    [[nodiscard]] std::string files(GravityOnRanks<T> const&) const {
        return files_of(o);
    }
};

}  // namespace

void run_gravity_on_ranks(GravityCommand const& command) { run_on_ranks<Job>(command); }
RankMemory memory_on_ranks(GravityCommand const& command, RankShape const& shape) {
    return memory_of_job<Job>(command, shape);
}

}  // namespace zwalk::apps
