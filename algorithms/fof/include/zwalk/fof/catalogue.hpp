// What groups are like: the catalogue that follows friends-of-friends (paper section IV-B).
#pragma once
#include <span>
#include <type_traits>
#include <vector>

#include "zwalk/core/device_points.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/page_vector.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk { inline namespace v0 {

/// Masses and velocities are where the points are: on the host, or (P = CudaDevice) on a GPU.
template <class T, class P = Cpu>
struct CatalogueOptions {
    std::size_t min_members = 20;  ///< smaller groups are left out
    std::vector<double> box{};     ///< as in FofOptions, and the same
    std::span<T const> masses{};   ///< > 0, one per point; empty: all 1
    std::conditional_t<is_device<P>, DevicePoints<T>, Points<T>>
        velocities{};      ///< shape (N, D); empty: none
    bool members = false;  ///< on MPI ranks: lists of members, too, which else are not made there
};

/// Groups, one row each; fields of shape (size(), dim) are row after row.
///
/// Everything is computed in double. All sums are exact but for one rounding of each addend
/// (core/fixed_sum.hpp), so that no bit depends on the number of threads or on which of them adds what.
struct FofCatalogue {
    int dim = 0;
    PageVector<index_t> label;          ///< smallest input index of a member
    PageVector<index_t> count;          ///< members
    PageVector<double> mass;            ///< sum of m
    PageVector<double> centre_of_mass;  ///< (size, dim); sum of m x / mass
    PageVector<double> velocity;        ///< (size, dim), or empty; sum of m v / mass
    /// sqrt(sum of m |v - velocity|^2 / mass), over all axes; 1/sqrt(dim) of it is that along one.
    PageVector<double> velocity_dispersion;
    PageVector<double> inertia_radius;  ///< sqrt(sum of m |x - centre|^2 / mass)
    PageVector<index_t> most_distant;   ///< input index of the member furthest from the centre of mass
    PageVector<double> radius;          ///< its distance
    PageVector<index_t> first;          ///< members of row i: order[first[i]], ..., count[i] of them
    /// Group order: input indices of all points sorted by group, each group's in z-order. Groups lie in
    /// the z-order of their first points.
    Buffer<pos_t> order;

    [[nodiscard]] std::size_t size() const { return label.size(); }
    /// Input indices of the members of row i, in z-order.
    /// @throws InputError  the catalogue has no `order`, as that of points in pieces, and as rows on MPI ranks
    [[nodiscard]] std::span<pos_t const> members(std::size_t i) const {
        if (order.empty())
            throw InputError("this catalogue has no lists of members: compare labels with its label");
        return {order.data() + first[i], std::size_t(count[i])};
    }

    /// Keeps these rows, in this order. `order` stays as it is.
    /// @throws InputError  there is no such row; nothing has changed then
    void select(std::span<std::size_t const> rows, Cpu const& cpu = Cpu());
    /// Keeps the rows i for which keep(i) is true. One thread asks that.
    template <class F>
    void filter(F const& keep, Cpu const& cpu = Cpu()) {
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < size(); ++i)
            if (keep(i)) rows.push_back(i);
        select(rows, cpu);
    }
    /// Sorts by one of the fields with a number per row, e.g. sort_by(&FofCatalogue::mass). Rows with
    /// equal values stay in order, those with NaN come last.
    /// @throws InputError  the field is empty where there are rows, or has more numbers per row
    void sort_by(PageVector<double> FofCatalogue::*field, bool descending = true,
                 Cpu const& cpu = Cpu());
    void sort_by(PageVector<index_t> FofCatalogue::*field, bool descending = true,
                 Cpu const& cpu = Cpu());
};

/// The groups of at least min_members points, largest first (of equal ones that with the smaller label).
///
/// Periodic axes: a group's members are seen as one piece, cut open at the widest of the gaps that it
/// leaves in 64 slices of the axis; so centre and radii are right for every group that leaves out a
/// slice, wherever it crosses the edge. (One that goes all the way around has no centre: its members are
/// taken at the image nearest to one of them.) Centres lie in [0, L) if the points do, else in
/// [-L/2, L/2) if the points do, else in the L that begins at the least coordinate.
///
/// O(N), O(N) memory: 8 bytes per point beside the result.
///
/// @param points  those that fof() was called with
/// @throws InputError  masses or velocities of another shape, that aren't finite, or masses <= 0 (the
///                     row is named)
template <class T>
FofCatalogue fof_catalogue(Points<T> points, FofResult<> const& groups,
                           CatalogueOptions<T> const& options = {}, Cpu const& cpu = Cpu());

/// The same rows, bit for bit, made on a GPU: of points and groups on the host, which are copied there. Where the GPU's memory doesn't
/// suffice, threads of the host make them.
///
/// O(N). Memory of the GPU: what is copied (points, masses, velocities, 8 bytes per point of the groups), 24 bytes per point to sort
/// them, 248 + 96 D for each group of the catalogue, and a twentieth of the latter two.
///
/// @param cpu  threads that check points, masses and velocities
/// @throws InputError  as above; no CUDA device, or a build without CUDA
template <class T>
FofCatalogue fof_catalogue(Points<T> points, FofResult<> const& groups,
                           CatalogueOptions<T> const& options, Cuda const& cuda, Cpu const& cpu = Cpu());
/// Of points and groups that are on a GPU, with the rows on the host.
/// @throws Error  the GPU's memory doesn't suffice
template <class T>
FofCatalogue fof_catalogue(DevicePoints<T> points, FofResult<CudaDevice> const& groups,
                           std::type_identity_t<CatalogueOptions<T, CudaDevice>> const& options,
                           Cuda const& cuda);

/// Groups, in the memory of a place P as those of fof(), and on the host the catalogue of those of enough points.
template <class P = Cpu>
struct FofAndCatalogue : FofResult<P> {
    FofCatalogue catalogue;
};
/// fof() and fof_catalogue(). Bad masses and velocities are refused before groups are looked for.
///
/// `stats`: the phases of fof(), "check" of the catalogue's input before them, and "catalogue" behind them.
///
/// @param catalogue  its box is that of `options`, and may be left out
/// @throws InputError, Error  as these; the catalogue has another box than the groups
template <class T>
FofAndCatalogue<> fof_with_catalogue(Points<T> points, FofOptions const& options,
                                     CatalogueOptions<T> const& catalogue, Cpu const& cpu = Cpu());
/// The same on a GPU. Points are copied there once, and groups come back when both are done.
///
/// O(N log N) to sort; the rest as of these two. Memory of the GPU: points, masses and velocities, and the larger of device_fof_memory()
/// and that of the catalogue, with labels of 8 bytes. Where it doesn't suffice for all of this, groups come back first, and the catalogue
/// is made as fof_catalogue() would: by threads of the host where its memory doesn't suffice, either.
///
/// `stats`: the phases "check", "upload", those of fof(), and "catalogue" (whoever makes it); counts of the device are those of both.
///
/// @param cpu  threads, as of fof_catalogue()
template <class T>
FofAndCatalogue<> fof_with_catalogue(Points<T> points, FofOptions const& options,
                                     CatalogueOptions<T> const& catalogue, Cuda const& cuda,
                                     Cpu const& cpu = Cpu());
/// Of points, masses and velocities that are on a GPU, where groups stay.
/// @throws Error  the GPU's memory doesn't suffice
template <class T>
FofAndCatalogue<CudaDevice> fof_with_catalogue(
    DevicePoints<T> points, FofOptions const& options,
    std::type_identity_t<CatalogueOptions<T, CudaDevice>> const& catalogue, Cuda const& cuda);

/// Throws the InputError that fof_catalogue would throw for these masses and velocities: before the groups
/// are looked for.
template <class T>
void check_catalogue_options(Points<T> points, CatalogueOptions<T> const& options);

#define ZWALK_FOF_CATALOGUE(T)                                                                       \
    extern template void check_catalogue_options(Points<T>, CatalogueOptions<T> const&);             \
    extern template FofCatalogue fof_catalogue(Points<T>, FofResult<> const&,                        \
                                               CatalogueOptions<T> const&, Cpu const&);              \
    extern template FofCatalogue fof_catalogue(Points<T>, FofResult<> const&,                        \
                                               CatalogueOptions<T> const&, Cuda const&, Cpu const&); \
    extern template FofCatalogue fof_catalogue(DevicePoints<T>, FofResult<CudaDevice> const&,        \
                                               CatalogueOptions<T, CudaDevice> const&, Cuda const&); \
    extern template FofAndCatalogue<> fof_with_catalogue(Points<T>, FofOptions const&,               \
                                                         CatalogueOptions<T> const&, Cpu const&);    \
    extern template FofAndCatalogue<> fof_with_catalogue(                                            \
        Points<T>, FofOptions const&, CatalogueOptions<T> const&, Cuda const&, Cpu const&);          \
    extern template FofAndCatalogue<CudaDevice> fof_with_catalogue(                                  \
        DevicePoints<T>, FofOptions const&, CatalogueOptions<T, CudaDevice> const&, Cuda const&);
ZWALK_FOF_CATALOGUE(float)
ZWALK_FOF_CATALOGUE(double)
#undef ZWALK_FOF_CATALOGUE

}}  // namespace zwalk::v0
