// One process as a place of a Job (job.hpp): threads of it work, or a GPU.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "../io/npy.hpp"
#include "../io/output.hpp"
#include "../io/points.hpp"
#include "../io/table.hpp"
#include "commands.hpp"
#include "job.hpp"
#include "job_run.hpp"
#include "memory.hpp"

namespace zwalk::apps {

/// A directory of results that one process writes. As RankDirectory of one rank.
class OwnDirectory {
  public:
    /// @param target  empty: nothing is written but side files
    /// @throws InputError, Error  as OutputDirectory
    OwnDirectory(std::string const& target, bool force) {
        if (!target.empty()) directory_.emplace(target, force);
    }

    template <class F>
    auto agree(F const& f) const {
        return f();
    }
    /// The sum of such numbers of lower ranks.
    [[nodiscard]] static std::uint64_t before(std::uint64_t) { return 0; }
    [[nodiscard]] static bool is_last() { return true; }
    /// An array of `columns` columns; 0: of one dimension. Positions become indices.
    template <class T>
    void write(std::string const& name, Buffer<T> const& values, std::size_t columns = 0) {
        auto const path = directory_->file(name);
        if constexpr (std::is_same_v<T, pos_t>) io::write_npy_indices(path, values);
        else if (columns == 0) io::write_npy<T>(path, {values.size()}, values);
        else io::write_npy<T>(path, {values.size() / columns, columns}, values);
    }
    void write_table(std::string const& name, io::Table const& table, std::string const& group) {
        io::write_table(directory_->file(name), table, group);
    }
    /// f(io::OutputDirectory&) on rank 0: files that it writes alone.
    template <class F>
    void write_by_first(F const& f) {
        if (directory_) f(*directory_);
    }
    /// A file that appears with the directory (io::SideFile). @return where to write it
    std::string add_side_file(std::string const& target, bool force) {
        beside_.emplace(target, of_first(), force);
        beside_has_bytes_ = !directory_ || !directory_->is_parent_of(target);
        return beside_->path().string();
    }
    [[nodiscard]] std::uint64_t bytes() const {
        return (directory_ ? directory_->bytes() : 0) +
               (beside_has_bytes_ ? std::filesystem::file_size(beside_->path()) : 0);
    }
    [[nodiscard]] io::OutputDirectory* of_first() { return directory_ ? &*directory_ : nullptr; }
    void commit() {
        if (directory_) directory_->commit();
        if (beside_) beside_->commit();
    }

  private:
    std::optional<io::OutputDirectory> directory_;
    std::optional<io::SideFile> beside_;
    bool beside_has_bytes_ = false;  ///< that aren't among the directory's
};

class OneProcess {
  public:
    static constexpr bool on_ranks = false;

    explicit OneProcess(PointsOptions const& o) : quiet_(o.quiet), progress_(o.quiet) {}

    [[nodiscard]] static bool is_first() { return true; }
    /// Whether nothing is to be printed but errors.
    [[nodiscard]] bool quiet() const { return quiet_; }
    [[nodiscard]] Progress& progress() { return progress_; }

    template <class F>
    auto agree(F const& f) const {
        return f();
    }
    /// op(...op(v_0, v_1)..., v_P-1) of the ranks' values.
    template <class V, class Op>
    [[nodiscard]] V reduce(V const& own, Op const&) const {
        return own;
    }
    /// f(where...) with where the plan has the work done: for functions of the library (run/where.hpp).
    template <class F>
    auto call(CommonPlan const& plan, F const& f) const {
        return plan.device == "cuda" ? f(plan.cuda()) : f(plan.cpu());
    }
    /// call() of what has no kernels.
    template <class F>
    auto call_on_cpu(CommonPlan const& plan, F const& f) const {
        return f(plan.cpu());
    }
    /// Refuses queries that ranks pass to what each of them does alone; in one process the library does that.
    template <class T, class P>
    void check_queries(CommonPlan const&, Index<T, P> const&, Points<T>) const {}
    /// The rows of a file that this process has.
    [[nodiscard]] io::PointSet read(std::string const& file, io::ReadOptions const& options) const {
        return io::read_points(file, options);
    }

    // For the runner.
    void check(PointsOptions const&) const {}
    void settle(CommonPlan&) const {}
    template <class Job>
    Need check_memory(Job& job, io::PointSet const& points) const {
        auto& plan = job.plan;
        plan.device = device_for(plan.device, points.dim);
        Need const need = job.memory(points);
        if constexpr (requires { job.memory_help(need); })
            apps::check_memory(need, 1, job.memory_help(need));
        else apps::check_memory(need);
        if (plan.budget > 0 && plan.device == "cpu") print_note(budget_note(need), quiet_);
        return need;
    }
    [[nodiscard]] static OwnDirectory open(PointsOptions const& o) { return {o.output, o.force}; }
    /// Brings what was measured to `stats`.
    template <class Result>
    void gather(Result const&, Stats const& took, RunStats& stats) const {
        stats.counts.insert(stats.counts.end(), took.counts.begin(), took.counts.end());
    }
    void print(CommonPlan const&, RunStats const&) const {}

  private:
    bool quiet_;
    Progress progress_;
};

/// How the command of a Job runs.
template <class Job>
Runs runs_of(Command const& app, std::shared_ptr<typename Job::Command> const& command) {
    return {app,
            [command] {
                OneProcess place(*command);
                run_job<Job>(place, *command);
            },
            [command](Launch const&) { run_on_ranks<Job>(*command); }};
}

}  // namespace zwalk::apps
