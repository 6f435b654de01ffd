// MPI ranks as a place of a Job (job.hpp): each has its own rows, and threads of it work, or a GPU.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "job.hpp"
#include "job_run.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "rank_files.hpp"
#include "rank_host.hpp"
#include "rank_stats.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/ranks/mpi.hpp"
#include "zwalk/ranks/points.hpp"
#include "zwalk/ranks/rank_cuda.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/prepared_points.hpp"
#include "zwalk/tree/extent.hpp"

namespace zwalk::apps {

/// Members are as those of OneProcess.
class Ranks {
  public:
    static constexpr bool on_ranks = true;

    explicit Ranks(PointsOptions const& o)
        : comm_(Mpi{}), quiet_(o.quiet || !is_first()), progress_(quiet_) {}

    [[nodiscard]] Comm& comm() { return comm_; }
    [[nodiscard]] bool is_first() const { return comm_.rank() == 0; }
    [[nodiscard]] bool quiet() const { return quiet_; }
    [[nodiscard]] Progress& progress() { return progress_; }

    template <class F>
    auto agree(F const& f) {
        return comm_.agree(f);
    }
    template <class V, class Op>
    [[nodiscard]] V reduce(V const& own, Op const& op) {
        return comm_.reduce_all(own, op);
    }
    template <class F>
    auto call(CommonPlan const& plan, F const& f) const {
        return plan.of_rank ? f(Mpi{}, plan.cuda(), plan.cpu()) : call_on_cpu(plan, f);
    }
    template <class F>
    auto call_on_cpu(CommonPlan const& plan, F const& f) const {
        return f(Mpi{}, plan.cpu());
    }
    /// Refuses what one process would refuse of all rows: bad ones, and such that together don't fit into the box of the points.
    template <class T, class P>
    void check_queries(CommonPlan const& plan, Index<T, P> const& points, Points<T> own) {
        zwalk::check_points(comm_, plan.cpu(), own, "queries");
        if (comm_.reduce_all(own.size, std::plus<>()) == 0) return;
        auto const extent = find_extent(comm_, plan.cpu(), own);
        comm_.attempt(
            [&] { detail::check_fit(points.points(), extent, largest_of(extent), "queries"); });
    }
    [[nodiscard]] io::PointSet read(std::string const& file, io::ReadOptions const& options) {
        return read_own_points(comm_, file, options);
    }

    void check(PointsOptions const& o) const { refuse_on_ranks(!o.sphere.empty(), "--sphere"); }
    void settle(CommonPlan& plan) {
        auto const threads = threads_of_rank(comm_, plan.threads);
        print_note(threads.note(), quiet_);
        plan.threads = threads.threads;
        if (plan.device == "cuda") {
            plan.of_rank = rank_cuda(comm_);
            plan.of_rank->memory_budget = plan.budget;
        } else {
            plan.device = "cpu";  // auto, too
        }
    }
    template <class Job>
    Need check_memory(Job& job, io::PointSet const& points) const {
        if (job.plan.budget == 0)
            job.plan.budget = available_memory() / 2 / std::uint64_t(comm_.host_size());
        Need const need = job.rank_memory(points);
        apps::check_memory(need, comm_.host_size());
        if constexpr (requires { job.first_rank_memory(points); }) return job.first_rank_memory(points);
        else return need;
    }
    [[nodiscard]] RankDirectory open(PointsOptions const& o) { return {comm_, o.output, o.force}; }
    template <class Result>
    void gather(Result const& result, Stats const& took, RunStats& stats) {
        auto const steps = agree([&] {  // the library's, and those of this program
            auto all = result.stats.steps;
            all.insert(all.end(), comm_.stats().begin(), comm_.stats().end());
            return all;
        });
        gather_stats(comm_, took, steps, stats);
    }
    void print(CommonPlan const& plan, RunStats const& stats) const {
        fmt::print("ranks       {}, with {} thread{}{} each\n", comm_.size(), stats.threads,
                   stats.threads == 1 ? "" : "s", plan.of_rank ? " and a GPU" : "");
    }

  private:
    Comm comm_;
    bool quiet_;
    Progress progress_;
};

template <class Job>
void run_on_ranks(typename Job::Command const& command) {
    Ranks place(command);
    run_job<Job>(place, command);
}

}  // namespace zwalk::apps
