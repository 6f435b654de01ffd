// Fitted HDBSCAN* clusters, kept with their points: what predictions for new points need (predict.hpp).
#pragma once
#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <utility>
#include <vector>

#include "zwalk/core/buffer.hpp"
#include "zwalk/hdbscan/hdbscan.hpp"
#include "zwalk/run/index.hpp"

namespace zwalk { inline namespace v0 {

namespace detail {
/// A cluster of a condensed tree, as predictions see it. Numbers of clusters are those in CondensedTree::clusters.
struct ModelCluster {
    index_t parent;  ///< -1: the root
    index_t jump;    ///< some cluster around it, so that ways up are short
    index_t depth;   ///< how many are around it
    index_t label;   ///< of the cluster that was taken here or around here; -1: none was
    double birth, death;
    double largest;  ///< lambda in it and in those inside it
};

/// The condensed tree by its points, with the clusters that were taken.
struct ModelTree {
    std::vector<ModelCluster> clusters;
    std::vector<index_t> taken;  ///< the cluster of each label
    Buffer<pos_t> cluster;       ///< the cluster that each point leaves at last
    Buffer<double> leaves;       ///< the lambda at which it does
    double least = 0;            ///< points with a smaller lambda are noise: where the root was taken

    /// Adds to clusters with parent, birth and death, and to the labels taken, what follows from these. O(clusters).
    void finish();
    /// The cluster that something with this lambda is in that meets a point of cluster c: c itself, or the nearest one around it that
    /// was born at a smaller lambda. O(log depth).
    [[nodiscard]] index_t at(index_t c, double lambda) const;
    /// The smallest cluster that holds both; O(log depth).
    [[nodiscard]] index_t common(index_t a, index_t b) const;
};
ModelTree model_tree(CondensedTree const& tree, Clusters const& found, SelectionOptions const& select,
                     Cpu const& cpu);

/// What searches read of each point of a model, in the memory of a place.
template <class T, class P>
struct ModelColumns {
    ArrayOn<P, T> core_square;  ///< by position, as trait.hpp has them, in the unit of the index
    // By row; on CPUs empty, since the model itself has these there.
    ArrayOn<P, T> core;
    ArrayOn<P, double> weights;
};
}  // namespace detail

/// Clusters of points, with all that predict() needs of these: an index, core distances, and the condensed tree. It holds copies, so points
/// and results may go.
///
/// The index is in the memory of a place P: CPU threads, or a GPU (CudaHdbscanModel), where predict() then searches. All else is on the
/// host. On CPUs any number of threads may use one model at once; not so on a GPU.
template <class T, class P = Cpu>
class HdbscanModel {
    using Name = typename detail::IndexPlace<P>::Name;

  public:
    /// The clusters that hdbscan() has found of the points of this index, with these options (their box is the index's).
    /// O(N). Memory: that of the index, and 12 bytes and two T per point; 8 bytes more with weights. On a GPU also two T per point there,
    /// and 8 bytes with weights.
    /// @throws InputError  the result isn't that of so many points, or is a part of one (of an MPI rank); options have a box, or other
    ///                     weights than so many, or weights that the result wasn't found with
    HdbscanModel(Index<T, P> index, HdbscanResult<T> const& found, HdbscanOptions const& options);
    /// The same for points, which are sorted: O(N log N).
    /// @param place  Cpu, or Cuda for a model on a GPU
    /// @throws InputError  also: as Index
    HdbscanModel(Points<T> points, HdbscanResult<T> const& found, HdbscanOptions const& options,
                 Name const& place = Name{});

    [[nodiscard]] std::size_t size() const { return index_.size(); }  ///< points
    [[nodiscard]] int dim() const { return index_.dim(); }            ///< their columns
    [[nodiscard]] std::size_t clusters() const { return tree_.taken.size(); }
    /// As HdbscanOptions::min_samples, but what was counted: at least 1, and without weights at most the number of points; 0 without
    /// points.
    [[nodiscard]] int min_samples() const { return min_samples_; }
    /// How many points each one counts as, by row; empty: 1 each.
    [[nodiscard]] Buffer<double> const& weights() const { return weights_; }
    /// The points, in the order of whose input all rows are.
    [[nodiscard]] Index<T, P> const& index() const { return index_; }
    /// On CPUs its place() may be changed between calls.
    [[nodiscard]] Index<T, P>& index() { return index_; }

    /// The points in the order of their input, shape (N, D): a copy on the host.
    [[nodiscard]] Buffer<T> rows() const;

    /// Writes the model into a file that load() reads; it appears whole or not at all, and replaces one that exists. Every place can read
    /// what another one has written. Format: src/model_file.cpp.
    /// @throws Error  it can't be written
    void save(std::filesystem::path const& path) const;
    void write(std::ostream& out) const;
    /// The model in a file, or in a stream whose size can be found. O(N).
    /// @throws InputError  no such file; not written by save() for this T, truncated or corrupted
    static HdbscanModel load(std::filesystem::path const& path, Name const& place = Name{});
    static HdbscanModel read(std::istream& in, Name const& place = Name{});

    /// For predictions: core distances, by row of the points; the tree; and what is where the index is.
    [[nodiscard]] Buffer<T> const& core_distances() const { return core_; }
    [[nodiscard]] detail::ModelTree const& tree() const { return tree_; }
    [[nodiscard]] detail::ModelColumns<T, P> const& columns() const { return columns_; }

  private:
    HdbscanModel(Index<T, P> index, int min_samples, Buffer<T> core, Buffer<double> weights,
                 detail::ModelTree tree)
        : index_(std::move(index)),
          min_samples_(min_samples),
          core_(std::move(core)),
          weights_(std::move(weights)),
          tree_(std::move(tree)) {
        bring_columns();
    }
    void bring_columns();

    Index<T, P> index_;
    int min_samples_ = 0;
    Buffer<T> core_;
    Buffer<double> weights_;
    detail::ModelTree tree_;
    detail::ModelColumns<T, P> columns_;
};

template <class T>
using CudaHdbscanModel = HdbscanModel<T, CudaDevice>;

/// Bytes of a coordinate in the file of a model: 4 (float) or 8 (double).
/// @throws InputError  no such file; not written by save()
std::size_t model_item_bytes(std::filesystem::path const& path);

}}  // namespace zwalk::v0
