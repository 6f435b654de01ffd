// An index: points that are sorted and grouped once, for any number of calls of any algorithm.
//
//   zwalk::Index<float> const index(points, {.box = {1}});
//   auto const groups = zwalk::fof(index, {.linking_length = 0.02});
//   auto const tree = zwalk::emst(index, {.min_samples = 5});
//   index.save("points.index");
#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/run/prepared_points.hpp"

namespace zwalk { inline namespace v0 {

struct IndexOptions {
    std::vector<double> box{};  ///< empty: open. One period for all axes, or one each; 0 = open axis
    TreeOptions tree{};
};

namespace detail {
/// How an index holds a place, and how users name one.
template <class P>
struct IndexPlace {
    using Held = Cpu;
    using Name = Cpu;
};
template <>
struct IndexPlace<CudaDevice> {
    using Held = OpenCuda;
    using Name = Cuda;
};
}  // namespace detail

/// Points that are ready for algorithms, in the memory of a place: CPU threads, or a GPU (Index<T, CudaDevice>, CudaIndex
/// for short). It holds copies of the coordinates, so the input may go.
///
/// Results are those of a call with the points, bit for bit. On CPUs any number of threads may use one index at once; not
/// so on a GPU.
template <class T, class P = Cpu>
class Index {
    static_assert(std::is_same_v<P, Cpu> || std::is_same_v<P, CudaDevice>,
                  "zwalk: an index is kept by Cpu or by CudaDevice; make_tree() on another place copies "
                  "one of Cpu");
    using Held = typename detail::IndexPlace<P>::Held;
    using Name = typename detail::IndexPlace<P>::Name;

  public:
    /// O(N log N). Memory: N (D sizeof(T) + 4) bytes and a tenth for the nodes, where D is the compiled dimension.
    /// @param place  Cpu, or Cuda for an index on a GPU: where it is built, and where calls with it run, each by itself
    ///               with the place's memory budget
    /// @throws InputError  coordinates that are not finite (row and column are named), a dimension other than 1..64,
    ///                     a box smaller than the data's extent, too many points for one device
    /// @throws Error       the memory of a GPU doesn't suffice
    explicit Index(Points<T> points, IndexOptions const& options = {}, Name const& place = Name{});
    explicit Index(DevicePoints<T> points, IndexOptions const& options = {},
                   Name const& place = Name{}) requires is_device<P>;
    Index(Index&&) noexcept;
    Index& operator=(Index&&) noexcept;
    ~Index();

    [[nodiscard]] std::size_t size() const { return points_.tree.size(); }  ///< N
    [[nodiscard]] int dim() const { return points_.dim; }                   ///< columns of the points
    /// One period per axis, 0 on open ones; empty in open space.
    [[nodiscard]] std::vector<double> box() const;
    /// Input index of each point in z-order.
    [[nodiscard]] std::span<pos_t const> z_order() const requires(!is_device<P>) {
        return points_.tree.input;
    }

    /// Writes the index into a file that load() reads without sorting; it appears whole or not at all, and replaces one
    /// that exists. Every place can read what another one has written. Format: tree/tree_file.hpp.
    /// @throws Error  it can't be written
    void save(std::filesystem::path const& path) const;
    void write(std::ostream& out) const;

    /// The index in a file. O(N).
    /// @throws InputError  no such file; not written by save() for this T, truncated or corrupted
    static Index load(std::filesystem::path const& path, Name const& place = Name{});
    static Index read(std::istream& in, Name const& place = Name{});

    /// Where the points are. Between calls an index on CPU threads may get others: index.place() = Cpu(4).
    [[nodiscard]] P& place() const;
    /// The points, for algorithms.
    [[nodiscard]] PreparedPoints<T, P> const& points() const { return points_; }

  private:
    template <class AnyPoints>
    void build(AnyPoints points, IndexOptions const& options);
    explicit Index(Held&& place) : place_(std::move(place)) {}

    mutable Held place_;
    PreparedPoints<T, P> points_;  // behind the place, which has its memory
};
template <class Rows>
Index(Rows const&, IndexOptions const& = {}, Cpu const& = Cpu())
    -> Index<std::remove_cvref_t<decltype(*std::declval<Rows>().data()->data())>>;
template <class Rows>
Index(Rows const&, IndexOptions const&, Cuda const&)
    -> Index<std::remove_cvref_t<decltype(*std::declval<Rows>().data()->data())>, CudaDevice>;
template <class T>
Index(Points<T>, IndexOptions const&, Cuda const&) -> Index<T, CudaDevice>;

template <class T>
using CudaIndex = Index<T, CudaDevice>;

/// Bytes of a coordinate in an index file: 4 if Index<float> can load it, 8 if Index<double>.
/// @throws InputError  no such file; not written by Index::save, or corrupted
std::size_t index_item_bytes(std::filesystem::path const& path);
/// Columns of the points in it. @throws as index_item_bytes
int index_dim(std::filesystem::path const& path);

extern template class Index<float>;
extern template class Index<double>;
extern template class Index<float, CudaDevice>;
extern template class Index<double, CudaDevice>;

}}  // namespace zwalk::v0
