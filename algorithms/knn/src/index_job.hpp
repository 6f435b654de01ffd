// What KnnIndex knows of the index of one compiled dimension (index_of.hpp; compiled apart).
#pragma once
#include <memory>
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/knn/knn.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/tree_file.hpp"

namespace zwalk::inline v0::detail {

/// What is the same for every dimension.
template <class T>
struct IndexBase {
    int dim;                ///< columns of the points
    std::vector<T> period;  ///< as in KnnJob
    Extent<T> extent;       ///< of the sources
    TreeOptions options;
    int threads;
};

/// Arguments are valid. Of the options of a query k, exclude_self, order and memory_budget are looked
/// at. With a visitor the result has no rows.
template <class T>
struct Index : IndexBase<T> {
    explicit Index(IndexBase<T>&& base) : IndexBase<T>(std::move(base)) {}
    virtual ~Index() = default;
    virtual KnnResult<T> query(Points<T> queries, KnnOptions const& options,
                               KnnVisitor<T> const& visitor) const = 0;
    virtual KnnResult<T> self(KnnOptions const& options, KnnVisitor<T> const& visitor) const = 0;
    virtual Tree<T, Cpu> const& tree() const = 0;
};

template <int D, class T>
std::unique_ptr<Index<T> const> build_index(Cpu const& cpu, IndexBase<T>&& base, Points<T> points);
template <int D, class T>
std::unique_ptr<Index<T> const> restore_index(IndexBase<T>&& base, Tree<T, Cpu>&& tree);

}  // namespace zwalk::inline v0::detail
