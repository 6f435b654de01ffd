// zwalk predict
#include "predict.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "../io/file.hpp"
#include "one_process.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/knn/memory.hpp"

namespace zwalk::apps {
namespace {

PredictPlan predict_plan(PredictCommand const& o) {
    if (!o.box.empty()) throw InputError("the box is that of the model; leave out --box");
    if (!o.precision.empty())
        throw InputError("the precision is that of the model; leave out --precision");
    PredictPlan plan{common_plan(o), {}};
    if (plan.order == Order::z)
        throw InputError("predictions are in the order of INPUT: leave out --order z");
    // A model that is read for one call isn't taken to a GPU unless it is asked for.
    if (plan.device == "auto") plan.device = "cpu";
    return plan;
}

}  // namespace

PredictJob::PredictJob(PredictCommand const& command)
    : plan(predict_plan(command)), file_(command.model), input_(command.input) {}

io::PointSet PredictJob::load() {
    io::check_input_file(file_);
    io::PointSet like;
    auto const keep = [&]<class T, class P>(HdbscanModel<T, P> model) {
        like.rows = Buffer<T>();
        like.size = like.total = model.size();
        like.dim = model.dim();
        like.box = model.index().box();
        model_ = std::move(model);
    };
    auto const load_as = [&]<class T>(T) {
        if (plan.device == "cuda") keep(CudaHdbscanModel<T>::load(file_, plan.cuda()));
        else keep(HdbscanModel<T>::load(file_, plan.cpu()));
    };
    if (model_item_bytes(file_) == 4) load_as(0.F);
    else load_as(0.);
    like.file_bytes = std::filesystem::file_size(file_);
    return like;
}

Need PredictJob::memory(io::PointSet const& points) const {
    // The model is there as it is in the file, with nodes and core distances once more.
    Need need;
    need.walk = std::filesystem::file_size(file_) * 5 / 4;
    need.result = points.size * (2 * sizeof(index_t) + 2 * sizeof(double) + points.item_bytes() + 1);
    return of_points(need, plan, points);
}

void PredictJob::print() const {
    std::visit(
        [&](auto const& model) {
            if constexpr (requires { model.clusters(); })
                fmt::print("clusters    {}, of {} points\n", model.clusters(), model.size());
        },
        model_);
    fmt::print("noise       {} points\n", noise);
}

std::string PredictJob::files() const {
    return "labels.npy, probabilities.npy, outlier_scores.npy, neighbours.npy, distances.npy";
}

Runs add_predict(CommandLine& program) {
    Command app = program.add_command("predict", "Which HDBSCAN* clusters of a model new points are in");
    auto o = std::make_shared<PredictCommand>();
    app.add_option("MODEL", o->model, "What zwalk hdbscan --save-model has written").required();
    add_points_options(app, *o);
    app.footer(
        "Writes of each new point DIR/labels.npy (int64: a cluster of the model, -1 for noise),\n"
        "probabilities.npy and outlier_scores.npy (float64), neighbours.npy (int64: the row of the "
        "point\n"
        "of the model that it joins) and distances.npy (the mutual reachability distance to that).\n"
        "Example: zwalk hdbscan points.npy --save-model clusters.zwm -o clusters\n"
        "         zwalk predict clusters.zwm new.npy -o now");
    return runs_of<PredictJob>(app, o);
}

}  // namespace zwalk::apps
