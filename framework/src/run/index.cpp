#include "zwalk/run/index.hpp"

#include <algorithm>
#include <optional>

#include "compiled_dims.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/validate.hpp"
#include "zwalk/core/whole_file.hpp"
#include "zwalk/run/call.hpp"
#include "zwalk/tree/copy_tree.hpp"
#include "zwalk/tree/tree_file.hpp"

namespace zwalk { inline namespace v0 {
namespace {

using namespace detail;

/// A copy of a tree with coordinates times a power of two.
template <class T>
Tree<T, Cpu> multiplied(Tree<T, Cpu> const& tree, T factor) {
    Cpu host;
    auto copy = copy_tree(host, host, tree);
    multiply(host, copy, factor);
    return copy;
}

/// Least and largest coordinates of columns: those of the top nodes.
template <class T>
Extent<T> extent_of(Tree<T, Cpu> const& tree, int dim) {
    Extent<T> extent(dim);
    if (tree.planes.empty()) return extent;
    auto const& top = tree.planes.back();
    for (std::size_t j = 0; j < std::size_t(dim); ++j) {
        T const *const lo = top.lo.data() + j * top.stride, *const hi = top.hi.data() + j * top.stride;
        extent.lo[j] = *std::min_element(lo, lo + top.nodes());
        extent.hi[j] = *std::max_element(hi, hi + top.nodes());
    }
    return extent;
}

/// A place that users name, as an index holds it.
OpenCuda held(Cuda const& cuda) { return open_cuda(cuda); }
Cpu held(Cpu const& cpu) { return cpu; }

}  // namespace

template <class T, class P>
template <class AnyPoints>
void Index<T, P>::build(AnyPoints points, IndexOptions const& options) {
    if constexpr (DimsOf<P>::most > 0) {
        P& p = place();
        if constexpr (is_device<P>)
            check_tree_memory<T>(p, points, compiled_columns<P>(DimsOf<P>{}, points.dim), options.tree);
        Stats built;
        auto brought = Preparation<T, P>::bring(p, points, "points", !options.box.empty());
        Together<T, P>(brought).check_distances();
        auto const extent = brought.extent;
        auto const unit = unit_for(brought.largest);
        if (!unit.is_plain()) Preparation<T, P>::rescale(p, brought, unit);
        int const columns = compiled_columns<P>(DimsOf<P>{}, points.dim);
        points_ =
            prepare(p, std::move(brought), options.box, extent, unit, columns, options.tree, built);
    }
}

template <class T, class P>
Index<T, P>::Index(Points<T> points, IndexOptions const& options, Name const& place)
    : place_(held(place)) {
    build(points, options);
}
template <class T, class P>
Index<T, P>::Index(DevicePoints<T> points, IndexOptions const& options,
                   Name const& place) requires is_device<P> : place_(held(place)) {
    build(points, options);
}
template <class T, class P>
Index<T, P>::Index(Index&&) noexcept = default;
template <class T, class P>
Index<T, P>& Index<T, P>::operator=(Index&& other) noexcept {
    points_ = std::move(other.points_);  // before the place whose memory they had
    place_ = std::move(other.place_);
    return *this;
}
template <class T, class P>
Index<T, P>::~Index() = default;

template <class T, class P>
P& Index<T, P>::place() const {
    if constexpr (is_device<P>) return *place_;
    else return place_;
}

template <class T, class P>
std::vector<double> Index<T, P>::box() const {
    return lengths_of_box(points_.period, points_.unit);
}

template <class T, class P>
void Index<T, P>::write(std::ostream& out) const {
    if constexpr (DimsOf<P>::most > 0) {
        auto const& tree = Preparation<T, P>::to_host(place(), points_.tree);
        if (points_.unit.is_plain()) return write_tree(out, tree, dim(), box(), points_.options);
        write_tree(out, multiplied(tree, points_.unit.unit()), dim(), box(), points_.options);
    }
}
template <class T, class P>
void Index<T, P>::save(std::filesystem::path const& path) const {
    write_whole_file(path, [&](std::ostream& out) { write(out); });
}

template <class T, class P>
Index<T, P> Index<T, P>::read(std::istream& in, Name const& name) {
    TreeHeader const header = read_tree_header(in);
    Index index(held(name));
    if constexpr (DimsOf<P>::most > 0) {
        Cpu host;
        if constexpr (!is_device<P>) host = name;
        auto tree = read_tree<T>(host, in, header, compiled_columns<P>(DimsOf<P>{}, header.dim));
        auto& p = index.points_;
        p.dim = header.dim;
        auto extent = extent_of(tree, header.dim);
        check_span(extent.lo.data(), extent.hi.data(), header.dim);
        p.largest = largest_of(extent);
        p.unit = unit_for(p.largest);
        p.period = in_unit(checked_period(header.box, extent), p.unit);
        if (!header.box.empty()) p.extent = std::move(extent);
        p.options = header.options;
        if (!p.unit.is_plain()) multiply(host, tree, p.unit.inverse());
        p.tree = Preparation<T, P>::from_host(index.place(), std::move(tree));
    }
    return index;
}
template <class T, class P>
Index<T, P> Index<T, P>::load(std::filesystem::path const& path, Name const& name) {
    std::optional<Index> index;
    read_named_file(path, [&](std::istream& in) { index.emplace(read(in, name)); });
    return std::move(*index);
}

namespace {
TreeHeader header_in(std::filesystem::path const& path) {
    TreeHeader header;
    read_named_file(path, [&](std::istream& in) { header = read_tree_header(in); });
    return header;
}
}  // namespace

std::size_t index_item_bytes(std::filesystem::path const& path) {
    return std::size_t(header_in(path).item_bytes);
}

int index_dim(std::filesystem::path const& path) { return header_in(path).dim; }

template class Index<float>;
template class Index<double>;
template class Index<float, CudaDevice>;
template class Index<double, CudaDevice>;

}}  // namespace zwalk::v0
