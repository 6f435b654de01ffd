// Catalogues that a GPU makes.
#include "catalogue_calls.hpp"
#include "compiled_dims.hpp"
#include "on_device.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
FofCatalogue fof_catalogue(Points<T> points, FofResult<> const& groups, CatalogueOptions<T> const& o,
                           Cuda const& cuda, Cpu const& cpu) {
    return on_cuda<FofCatalogue>(
        CudaDims{}, cuda, [&](auto& device) { return catalogue_of(device, points, groups, o, cpu); });
}
template <class T>
FofCatalogue fof_catalogue(DevicePoints<T> points, FofResult<CudaDevice> const& groups,
                           std::type_identity_t<CatalogueOptions<T, CudaDevice>> const& o,
                           Cuda const& cuda) {
    return on_cuda<FofCatalogue>(CudaDims{}, cuda,
                                 [&](auto& device) { return catalogue_of(device, points, groups, o); });
}

template <class T>
FofAndCatalogue<> fof_with_catalogue(Points<T> points, FofOptions const& o, CatalogueOptions<T> const& c,
                                     Cuda const& cuda, Cpu const& cpu) {
    return on_cuda<FofAndCatalogue<>>(CudaDims{}, cuda, [&](auto& device) {
        return groups_with_catalogue(device, points, o, c, cpu, [&](auto const& where_they_are) {
            return fof_on(device, where_they_are, o);
        });
    });
}
template <class T>
FofAndCatalogue<CudaDevice> fof_with_catalogue(
    DevicePoints<T> points, FofOptions const& o,
    std::type_identity_t<CatalogueOptions<T, CudaDevice>> const& c, Cuda const& cuda) {
    return on_cuda<FofAndCatalogue<CudaDevice>>(CudaDims{}, cuda, [&](auto& device) {
        return groups_with_catalogue(device, points, o, c,
                                     [&](auto const& there) { return fof_on(device, there, o); });
    });
}

#define ZWALK_FOF_CATALOGUE(T)                                                                          \
    template FofCatalogue fof_catalogue(Points<T>, FofResult<> const&, CatalogueOptions<T> const&,      \
                                        Cuda const&, Cpu const&);                                       \
    template FofCatalogue fof_catalogue(DevicePoints<T>, FofResult<CudaDevice> const&,                  \
                                        CatalogueOptions<T, CudaDevice> const&, Cuda const&);           \
    template FofAndCatalogue<> fof_with_catalogue(Points<T>, FofOptions const&,                         \
                                                  CatalogueOptions<T> const&, Cuda const&, Cpu const&); \
    template FofAndCatalogue<CudaDevice> fof_with_catalogue(                                            \
        DevicePoints<T>, FofOptions const&, CatalogueOptions<T, CudaDevice> const&, Cuda const&);
ZWALK_FOF_CATALOGUE(float)
ZWALK_FOF_CATALOGUE(double)

}}  // namespace zwalk::v0
