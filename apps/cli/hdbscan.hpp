// zwalk hdbscan
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../io/output.hpp"
#include "job.hpp"
#include "launch.hpp"
#include "zwalk/emst/emst.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"

namespace zwalk::apps {

/// The options, as text.
struct HdbscanCommand : PointsOptions {
    std::string min_cluster_size = "5", min_samples = "0", selection = "eom", epsilon = "0",
                epsilon_max = "inf", persistence = "0", max_cluster_size = "0", format = "npy",
                save_model, weights;
    bool allow_single_cluster = false;
};

/// Everything that the options settle before a file is read.
struct HdbscanPlan : CommonPlan {
    HdbscanOptions hdbscan;
    std::string format;   ///< of tables: npy or csv
    std::string model;    ///< the file to save a model in; empty: none
    std::string weights;  ///< the file with weights of the points; empty: none
    bool force = false;   ///< replace that of the model
};

/// What is known of all points together.
struct HdbscanTables {
    Linkage const& linkage;
    CondensedTree const& tree;
    std::span<index_t const> ids;         ///< as in Clusters
    std::span<double const> persistence;  ///< as in Clusters
};

struct HdbscanJob {
    using Command = HdbscanCommand;
    static constexpr char const* name = "clusters";
    HdbscanPlan plan;
    std::vector<double> weights{};
    std::uint64_t clusters = 0, noise = 0;  ///< of all ranks
    std::size_t min_cluster_size = 0;       ///< of the condensed tree; 0 where that isn't

    explicit HdbscanJob(HdbscanCommand const& command);
    std::vector<double>& box() { return plan.hdbscan.box; }

    template <class Place>
    std::uint64_t read_more(Place& place, io::PointSet const& points) {
        if (plan.weights.empty()) return 0;
        weights = read_column_of(place, plan.weights, masses_beside(plan.read.dataset), points.total,
                                 "weights");
        plan.hdbscan.weights = weights;
        return weights.size() * sizeof(double);
    }
    [[nodiscard]] Need memory(io::PointSet const& points) const;
    [[nodiscard]] Need rank_memory(io::PointSet const& points) const;
    [[nodiscard]] Need first_rank_memory(io::PointSet const& points) const;
    template <class Directory>
    void prepare(Directory& out) {
        if (!plan.model.empty()) model_file_ = out.add_side_file(plan.model, plan.force);
    }
    template <class T, class Place>
    auto compute(Place& place, io::PointSet const& points) {
        if constexpr (Place::on_ranks)
            place.agree([&] { refuse_on_ranks(!plan.model.empty(), "--save-model"); });
        auto r = find<T>(place, points.points<T>());
        if constexpr (!Place::on_ranks)
            if (!plan.model.empty()) keep_model<T>(points.points<T>(), r);
        if constexpr (Place::on_ranks) clusters = r.clusters;
        else clusters = r.size();
        min_cluster_size = r.condensed_tree.min_cluster_size;
        auto const own = std::count(r.labels.begin(), r.labels.end(), index_t(-1));
        noise = place.reduce(std::uint64_t(own), std::plus<>());
        return r;
    }
    template <class Directory, class Result>
    void write(Directory& out, Result const& r) const {
        if (save_) save_();
        out.write("labels.npy", r.labels);
        out.write("probabilities.npy", r.probabilities);
        out.write("outlier_scores.npy", r.outlier_scores);
        out.write_by_first([&](io::OutputDirectory& files) {
            write_tables(files, {r.linkage, r.condensed_tree, r.ids, r.persistence});
        });
    }
    void print() const;
    [[nodiscard]] std::string files() const;

  private:
    /// Makes the model that write() saves.
    template <class T>
    void keep_model(Points<T> points, HdbscanResult<T>& found);

    std::string model_file_;
    std::function<void()> save_;

    [[nodiscard]] Need memory_of_rank(io::PointSet const& points, bool makes_clusters) const;
    [[nodiscard]] bool is_persistent() const {
        return plan.hdbscan.select.method == Selection::persistent;
    }
    /// Writes linkage.npy, condensed_tree and clusters, and with --selection persistent sizes.
    void write_tables(io::OutputDirectory& out, HdbscanTables const& found) const;

    template <class T, class Place>
    auto find(Place& place, Points<T> points) const {
        if constexpr (!Place::on_ranks)
            if (plan.sphere) return on_sphere(place, points);
        return place.call(plan, [&]<class... Where>(Where const&... where) {
            // A GPU of one process makes the tree, and threads the rest.
            if constexpr (std::is_same_v<std::tuple<Where...>, std::tuple<Cuda>>)
                return hdbscan(points, plan.hdbscan, where..., plan.cpu());
            else return hdbscan(points, plan.hdbscan, where...);
        });
    }
    /// What hdbscan() does, with angles for lengths between the tree and its cut.
    template <class T, class Place>
    HdbscanResult<T> on_sphere(Place& place, Points<T> points) const {
        HdbscanOptions const& h = plan.hdbscan;
        EmstOptions const o{.min_samples = h.min_samples > 0 ? h.min_samples : int(h.min_cluster_size)};
        auto tree = place.call(plan, [&](auto const&... where) { return emst(points, o, where...); });
        HdbscanResult<T> r;
        r.stats = std::move(tree.stats);
        timed(r.stats, "angles", [&] { plan.sphere.to_ascending_angles(tree.lengths); });
        timed(r.stats, "linkage", [&] {
            r.linkage = single_linkage<T>(points.size, tree.edges, tree.lengths, plan.cpu());
            tree = {};
        });
        timed(r.stats, "condense",
              [&] { r.condensed_tree = condense(r.linkage, h.min_cluster_size, h.select, plan.cpu()); });
        timed(r.stats, "clusters", [&] {
            static_cast<Clusters&>(r) = select_clusters(r.condensed_tree, h.select, plan.cpu());
        });
        timed(r.stats, "outliers",
              [&] { r.outlier_scores = outlier_scores(r.condensed_tree, plan.cpu()); });
        r.stats.counts.emplace_back("clusters", r.size());
        return r;
    }
};

}  // namespace zwalk::apps
