// zwalk predict
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "job.hpp"
#include "zwalk/hdbscan/predict.hpp"

namespace zwalk::apps {

/// The options, as text. INPUT has the new points.
struct PredictCommand : PointsOptions {
    std::string model;
};

struct PredictPlan : CommonPlan {
    std::vector<double> box;  ///< the model's
};

struct PredictJob {
    using Command = PredictCommand;
    static constexpr char const* name = "predictions";
    PredictPlan plan;
    std::uint64_t noise = 0;

    explicit PredictJob(PredictCommand const& command);
    std::vector<double>& box() { return plan.box; }

    /// The new points, in the precision of the model, and in its box.
    template <class Place>
    io::PointSet read_points(Place& place) {
        io::PointSet const like = place.agree([&] { return load(); });
        auto points = read_more_points(place, input_, "new points", plan, like);
        points.box = like.box;
        points.file_bytes += like.file_bytes;
        return points;
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const;
    /// Each rank has the whole model.
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const { return memory(points); }
    template <class T, class Place>
    HdbscanPrediction<T> compute(Place& place, io::PointSet const& points) {
        auto const queries = points.points<T>();
        auto const by = [&](auto const& model) {
            place.check_queries(plan, model.index(), queries);
            return place.agree([&] { return predict(model, queries); });
        };
        auto const* const there = std::get_if<CudaHdbscanModel<T>>(&model_);
        auto r = there ? by(*there) : by(std::get<HdbscanModel<T>>(model_));
        noise = place.reduce(std::uint64_t(std::count(r.labels.begin(), r.labels.end(), index_t(-1))),
                             std::plus<>());
        return r;
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        out.write("labels.npy", r.labels);
        out.write("probabilities.npy", r.probabilities);
        out.write("outlier_scores.npy", r.outlier_scores);
        out.write("neighbours.npy", r.neighbours);
        out.write("distances.npy", r.distances);
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    /// Reads the model. Returns its points without their rows.
    io::PointSet load();

    std::string file_, input_;
    std::variant<std::monostate, HdbscanModel<float>, HdbscanModel<double>, CudaHdbscanModel<float>,
                 CudaHdbscanModel<double>>
        model_;
};

}  // namespace zwalk::apps
