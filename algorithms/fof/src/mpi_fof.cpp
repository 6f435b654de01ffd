#include "rank_driver.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

template <class T, class Place>
FofWithCatalogue find_groups(Comm& comm, Cpu const& cpu, Place place, FofOptions const& o,
                             RankInput<T> const& local, CatalogueOptions<T> const* catalogue) {
    return FofRanks<T, Place>(comm, cpu, place, o).run(local, catalogue);
}
/// On threads of each rank.
template <class T>
FofWithCatalogue find_groups(Mpi const& mpi, Cpu cpu, FofOptions const& o, RankInput<T> const& local,
                             CatalogueOptions<T> const* catalogue = nullptr) {
    Comm comm(mpi);
    return find_groups(comm, cpu, rank_place(&cpu, CpuDims{}), o, local, catalogue);
}
/// On a GPU of each.
template <class T>
FofWithCatalogue find_groups(Mpi const& mpi, Cuda const& cuda, Cpu const& cpu, FofOptions const& o,
                             RankInput<T> const& local, CatalogueOptions<T> const* catalogue = nullptr) {
    Comm comm(mpi);
    return on_rank_cuda(comm, CudaDims{}, CpuDims{}, cuda,
                        [&](auto place) { return find_groups(comm, cpu, place, o, local, catalogue); });
}

}  // namespace
}  // namespace detail

template <class T>
FofOnRanks fof(Points<T> local, FofOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    return detail::find_groups<T>(mpi, cpu, options, local);
}
template <class T>
FofOnRanks fof(Points<T> local, FofOptions const& options, Mpi const& mpi, Cuda const& cuda,
               Cpu const& cpu) {
    return detail::find_groups<T>(mpi, cuda, cpu, options, local);
}
template <class T>
FofOnRanks fof(RankIndex<T> const& index, FofOptions const& options) {
    return detail::find_groups<T>(index.mpi(), index.cpu(), options, index);
}
template <class T>
FofOnRanks fof(RankIndex<T> const& index, FofOptions const& options, Cuda const& cuda) {
    return detail::find_groups<T>(index.mpi(), cuda, index.cpu(), options, index);
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cpu const& cpu) {
    return detail::find_groups<T>(mpi, cpu, options, local, &catalogue);
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cuda const& cuda, Cpu const& cpu) {
    return detail::find_groups<T>(mpi, cuda, cpu, options, local, &catalogue);
}

#define ZWALK_FOF_ON_RANKS(T)                                                                         \
    template FofOnRanks fof(Points<T>, FofOptions const&, Mpi const&, Cpu const&);                    \
    template FofOnRanks fof(Points<T>, FofOptions const&, Mpi const&, Cuda const&, Cpu const&);       \
    template FofOnRanks fof(RankIndex<T> const&, FofOptions const&);                                  \
    template FofOnRanks fof(RankIndex<T> const&, FofOptions const&, Cuda const&);                     \
    template FofWithCatalogue fof_with_catalogue(Points<T>, FofOptions const&,                        \
                                                 CatalogueOptions<T> const&, Mpi const&, Cpu const&); \
    template FofWithCatalogue fof_with_catalogue(                                                     \
        Points<T>, FofOptions const&, CatalogueOptions<T> const&, Mpi const&, Cuda const&, Cpu const&);
ZWALK_FOF_ON_RANKS(float)
ZWALK_FOF_ON_RANKS(double)

}  // namespace zwalk::inline v0
