#include <utility>

#include "compiled_dims.hpp"
#include "driver.hpp"
#include "rank_catalogue.hpp"
#include "rank_groups_of.hpp"

namespace zwalk::inline v0 {
namespace detail {
namespace {

template <class T>
FofWithCatalogue find_groups(RankInput<T> const& local, FofOptions const& o, RankCall const& call,
                             CatalogueOptions<T> const* catalogue = nullptr) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto const& where) {
        return groups_on_ranks<T>(comm, call.cpu, where, local, o, catalogue);
    });
}

}  // namespace
}  // namespace detail

template <class T>
FofOnRanks fof(Points<T> local, FofOptions const& options, Mpi const& mpi, Cpu const& cpu) {
    return detail::find_groups<T>(local, options, {mpi, cpu});
}
template <class T>
FofOnRanks fof(Points<T> local, FofOptions const& options, Mpi const& mpi, Cuda const& cuda,
               Cpu const& cpu) {
    return detail::find_groups<T>(local, options, {mpi, cuda, cpu});
}
template <class T>
FofOnRanks fof(RankIndex<T> const& index, FofOptions const& options) {
    return detail::find_groups<T>(index, options, {index.mpi(), index.cpu()});
}
template <class T>
FofOnRanks fof(RankIndex<T> const& index, FofOptions const& options, Cuda const& cuda) {
    return detail::find_groups<T>(index, options, {index.mpi(), cuda, index.cpu()});
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cpu const& cpu) {
    return detail::find_groups<T>(local, options, {mpi, cpu}, &catalogue);
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cuda const& cuda, Cpu const& cpu) {
    return detail::find_groups<T>(local, options, {mpi, cuda, cpu}, &catalogue);
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
