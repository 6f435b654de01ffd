// What zwalk knn searches in one process: points, or an index from a file or made of them.
#pragma once
#include <string>
#include <variant>

#include "knn_job.hpp"
#include "one_process.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk::apps {

/// See knn_job.hpp.
class OwnSources {
  public:
    using Place = OneProcess;
    using Directory = OwnDirectory;
    using P = Cpu;

    /// Reads an index to the place that the plan's device means, which is settled by that.
    io::PointSet read(OneProcess& place, std::string const& file, KnnPlan& plan);
    template <class T>
    void make(io::PointSet const& points, KnnPlan const& plan, Stats& stats) {
        timed(stats, "index",
              [&] { index_ = Index<T>(points.points<T>(), {.box = plan.knn.box}, plan.cpu()); });
    }
    template <class T>
    void write(std::string const& path, std::string const& name) const;

    template <class T, class F>
    void at(io::PointSet const& points, KnnPlan const& plan, Cpu const& cpu, F const& f) {
        if (auto const* there = std::get_if<CudaIndex<T>>(&index_)) return f(*there, plan.of_index());
        if (plan.device == "cuda") return f(points.points<T>(), plan.knn, plan.cuda());
        if (auto* index = std::get_if<Index<T>>(&index_)) {
            index->place() = cpu;
            return f(*index, plan.of_index());
        }
        f(points.points<T>(), plan.knn, cpu);
    }
    template <class T, class Call, class See, class... Where>
    KnnResult<T> find(Call const& call, KnnPlan const&, OwnDirectory&, See const& see,
                      KnnOptions const& options, Where const&... where) {
        auto found = call([](auto const&... all) { return knn(all...); }, options, where...);
        see(found.indices, 1);
        return found;
    }
    /// An index on threads doesn't give its order with each result.
    template <class T>
    void finish(KnnPlan const& plan, bool queried, KnnFound<T, Cpu>& found) const {
        Cpu cpu = plan.cpu();
        auto const* const index = std::get_if<Index<T>>(&index_);
        if (index && queried && plan.order == Order::z)
            found.lists.source_order = copy_to(cpu, index->z_order());
    }

  private:
    std::variant<std::monostate, Index<float>, Index<double>, CudaIndex<float>, CudaIndex<double>>
        index_;
};

}  // namespace zwalk::apps
