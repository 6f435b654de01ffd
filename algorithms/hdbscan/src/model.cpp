#include "zwalk/hdbscan/model.hpp"

#include <algorithm>
#include <utility>

#include "checks.hpp"
#include "compiled_dims.hpp"
#include "cut.hpp"
#include "model_columns.hpp"
#include "strength.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/text.hpp"
#include "zwalk/core/unit_square.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/run/index_rows.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {

void ModelTree::finish() {
    std::vector<CondensedCluster> known;
    for (ModelCluster const& c : clusters) known.push_back({c.parent, 0, c.birth, c.death});
    auto const largest = largest_inside(known);
    for (std::size_t l = 0; l < taken.size(); ++l) clusters[std::size_t(taken[l])].label = index_t(l);
    // Jumps as in a skew binary list: two of the same length in a row become one.
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        ModelCluster& own = clusters[c];
        own.largest = largest[c];
        own.jump = own.depth = 0;
        if (c == 0) continue;
        ModelCluster const& up = clusters[std::size_t(own.parent)];
        ModelCluster const& further = clusters[std::size_t(up.jump)];
        if (own.label < 0) own.label = up.label;
        own.depth = up.depth + 1;
        index_t const furthest = clusters[std::size_t(further.jump)].depth;
        own.jump = up.depth - further.depth == further.depth - furthest ? further.jump : own.parent;
    }
}

index_t ModelTree::at(index_t c, double lambda) const {
    while (c != 0 && clusters[std::size_t(c)].birth >= lambda) {
        index_t const jump = clusters[std::size_t(c)].jump;
        bool const far =
            clusters[std::size_t(jump)].birth >= lambda;  // so that all in between were, too
        c = far ? jump : clusters[std::size_t(c)].parent;
    }
    return c;
}

index_t ModelTree::common(index_t a, index_t b) const {
    auto const of = [&](index_t c) -> ModelCluster const& { return clusters[std::size_t(c)]; };
    if (of(a).depth < of(b).depth) std::swap(a, b);
    while (of(a).depth > of(b).depth)
        a = of(of(a).jump).depth >= of(b).depth ? of(a).jump : of(a).parent;
    while (a != b) {  // jumps of the same depth are of the same length
        bool const far = of(a).jump != of(b).jump;
        a = far ? of(a).jump : of(a).parent;
        b = far ? of(b).jump : of(b).parent;
    }
    return a;
}

ModelTree model_tree(CondensedTree const& tree, Clusters const& found, SelectionOptions const& select,
                     Cpu const& cpu) {
    ModelTree model;
    if (tree.clusters.empty()) return model;
    for (CondensedCluster const& c : tree.clusters)
        model.clusters.push_back({c.parent, 0, 0, -1, c.birth, c.death, 0});
    for (index_t const id : found.ids) model.taken.push_back(id - index_t(tree.points));
    bool const root = !model.taken.empty() && model.taken[0] == 0;
    if (root) model.least = select.epsilon > 0 ? 1 / select.epsilon : tree.clusters[0].death;
    model.cluster = Buffer<pos_t>(tree.points);
    model.leaves = Buffer<double>(tree.points);
    cpu.for_each(tree.rows(), [&](std::size_t row) {
        auto const point = std::size_t(tree.child[row]);
        if (point >= tree.points) return;
        model.cluster[point] = pos_t(std::size_t(tree.parent[row]) - tree.points);
        model.leaves[point] = tree.lambda[row];
    });
    model.finish();
    return model;
}

}  // namespace detail

namespace {

template <class T>
void check_found(std::size_t points, HdbscanResult<T> const& found) {
    auto const& tree = found.condensed_tree;
    if (tree.points != points || (points > 1 && tree.clusters.empty()))
        throw InputError(
            detail::text("the condensed tree is that of {} points, but there are {}: a model needs the "
                         "result of hdbscan() for these points, on ranks with those of all",
                         tree.points, points));
    std::size_t const cores = found.core_distances.size();
    if (cores != points && cores != 0)
        throw InputError(detail::text("there are {} core distances of {} points", cores, points));
}

void check_same_weights(std::size_t points, CondensedTree const& tree, std::span<double const> weights) {
    if (!weights.empty()) detail::check_weights(points, weights);
    if (!weights.empty() != !tree.child_weight.empty() && tree.rows() > 0)
        throw InputError(detail::text(
            "the clusters were found {} weights: a model needs the options that they were found with",
            weights.empty() ? "with" : "without"));
}

}  // namespace

template <class T, class P>
HdbscanModel<T, P>::HdbscanModel(Index<T, P> index, HdbscanResult<T> const& found,
                                 HdbscanOptions const& options)
    : index_(std::move(index)) {
    std::size_t const n = index_.size();
    Cpu const cpu = [&] {
        if constexpr (is_device<P>) return Cpu();
        else return index_.place();
    }();
    detail::check_options(options);
    detail::check_for_index(options.box);
    check_found(n, found);
    check_same_weights(n, found.condensed_tree, options.weights);
    min_samples_ = n == 0 ? 0 : detail::tree_options(n, options).min_samples;
    if (!options.weights.empty()) {
        if (n > 0) min_samples_ = detail::samples_of(options);
        weights_ = Buffer<double>(n);
        cpu.copy(weights_.data(), options.weights.data(), n);
    }
    tree_ = detail::model_tree(found.condensed_tree, found, options.select, cpu);
    core_ = Buffer<T>(n);
    if (found.core_distances.size() == n) cpu.copy(core_.data(), found.core_distances.data(), n);
    else cpu.zero(core_.data(), n);
    bring_columns();
}

template <class T, class P>
void HdbscanModel<T, P>::bring_columns() {
    if constexpr (detail::DimsOf<P>::most > 0) {
        auto const& points = index_.points();
        Buffer<pos_t> brought;
        if constexpr (is_device<P>) detail::download(index_.place(), brought, points.tree.input);
        pos_t const* const input = is_device<P> ? brought.data() : points.tree.input.data();
        Buffer<T> squares(index_.size());
        auto const find = [&](Cpu const& cpu) {
            cpu.for_each(squares.size(), [&](std::size_t i) {
                squares[i] = smallest_square(points.unit, core_[input[i]]);
            });
        };
        if constexpr (is_device<P>) find(Cpu());
        else find(index_.place());
        columns_ = detail::columns_on<T>(index_.place(), std::move(squares), core_, weights_);
    }
}

template <class T, class P>
HdbscanModel<T, P>::HdbscanModel(Points<T> points, HdbscanResult<T> const& found,
                                 HdbscanOptions const& options, Name const& place)
    : HdbscanModel(Index<T, P>(points, {.box = options.box, .tree = options.tree}, place), found, [&] {
          auto without_box = options;
          without_box.box.clear();
          return without_box;
      }()) {}

template <class T, class P>
Buffer<T> HdbscanModel<T, P>::rows() const {
    if constexpr (detail::DimsOf<P>::most > 0) return detail::rows_of_index(index_);
    else return {};  // in builds without CUDA there can't be one on a GPU
}

// Files: model_file.cpp.
#define ZWALK_MODEL(T, P)                                                           \
    template HdbscanModel<T, P>::HdbscanModel(Index<T, P>, HdbscanResult<T> const&, \
                                              HdbscanOptions const&);               \
    template HdbscanModel<T, P>::HdbscanModel(Points<T>, HdbscanResult<T> const&,   \
                                              HdbscanOptions const&, Name const&);  \
    template Buffer<T> HdbscanModel<T, P>::rows() const;                            \
    template void HdbscanModel<T, P>::bring_columns();
ZWALK_MODEL(float, Cpu)
ZWALK_MODEL(double, Cpu)
ZWALK_MODEL(float, CudaDevice)
ZWALK_MODEL(double, CudaDevice)

}}  // namespace zwalk::v0
