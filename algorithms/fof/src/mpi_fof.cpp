#include "compiled_dims.hpp"
#include "rank_groups_of.hpp"
#include "zwalk/run/rank_calls.hpp"

namespace zwalk { inline namespace v0 {
namespace detail {
namespace {

template <class T>
FofWithCatalogue find_groups(Points<T> local, FofOptions const& o, RankCall const& call,
                             CatalogueOptions<T> const& catalogue) {
    return on_ranks(call, CudaDims{}, CpuDims{}, [&](Comm& comm, auto const& where) {
        return groups_on_ranks<T>(comm, call.cpu, where, local, o, catalogue);
    });
}

}  // namespace

ZWALK_RANK_CALL(FofCall, float)
ZWALK_RANK_CALL(FofCall, double)

}  // namespace detail

template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cpu const& cpu) {
    return detail::find_groups<T>(local, options, {mpi, cpu}, catalogue);
}
template <class T>
FofWithCatalogue fof_with_catalogue(Points<T> local, FofOptions const& options,
                                    CatalogueOptions<T> const& catalogue, Mpi const& mpi,
                                    Cuda const& cuda, Cpu const& cpu) {
    return detail::find_groups<T>(local, options, {mpi, cuda, cpu}, catalogue);
}

#define ZWALK_FOF_ON_RANKS(T)                                                                         \
    template FofWithCatalogue fof_with_catalogue(Points<T>, FofOptions const&,                        \
                                                 CatalogueOptions<T> const&, Mpi const&, Cpu const&); \
    template FofWithCatalogue fof_with_catalogue(                                                     \
        Points<T>, FofOptions const&, CatalogueOptions<T> const&, Mpi const&, Cuda const&, Cpu const&);
ZWALK_FOF_ON_RANKS(float)
ZWALK_FOF_ON_RANKS(double)

}}  // namespace zwalk::v0
