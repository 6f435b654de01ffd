// Catalogues that a GPU makes.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "catalogue_calls.hpp"
#include "compiled_dims.hpp"
#include "zwalk/core/clock.hpp"
#include "zwalk/fof/device_fof_memory.hpp"

namespace zwalk { inline namespace v0 {

using namespace detail;

template <class T>
FofCatalogue fof_catalogue(Points<T> points, FofResult<> const& groups, CatalogueOptions<T> const& o,
                           Cuda const& cuda) {
    return on_cuda<FofCatalogue>(CudaDims{}, cuda,
                                 [&](auto& device) { return catalogue_of(device, points, groups, o); });
}
template <class T>
FofCatalogue fof_catalogue(DevicePoints<T> points, FofResult<CudaDevice> const& groups,
                           std::type_identity_t<CatalogueOptions<T, CudaDevice>> const& o,
                           Cuda const& cuda) {
    return on_cuda<FofCatalogue>(CudaDims{}, cuda,
                                 [&](auto& device) { return catalogue_of(device, points, groups, o); });
}

namespace {

/// Whether a device has memory for points that stay while groups are found, and then for their catalogue.
template <class T, class P>
bool has_memory(P& device, Points<T> points, FofOptions const& o, CatalogueOptions<T> const& c) {
    constexpr std::uint64_t groups = sizeof(index_t) + 2 * sizeof(pos_t);
    auto const n = std::uint64_t(points.size);
    auto const most = std::max(device_fof_memory(double(n), points.dim, sizeof(T), o.tree),
                               (groups + catalogue_point_bytes) * n);
    return BesideThere<T, P>::bytes(points, c) + most <= Preparation<T, P>::available(device);
}

template <class T, class P>
FofAndCatalogue groups_there(P& device, Points<T> points, FofOptions const& o,
                             CatalogueOptions<T> const& c, Cuda const& cuda) {
    double start = now_seconds();
    auto const took = [&] {
        double const before = std::exchange(start, now_seconds());
        return start - before;
    };
    BesideThere<T, P> const there(device, points, c);
    double const upload = took();
    auto groups = fof(there.points(), o, cuda);
    (void)took();
    auto const axes = Cpu().run([&] { return axes_of(o.box, points); });
    auto made = make_catalogue<T>(
        device, there.asked(groups.root.data(), groups.z_order.data(), c.min_members, axes));
    double const catalogue = took();
    FofAndCatalogue r{to_host<FofResult<>>(device, std::move(groups)), {}};
    auto& seconds = r.stats.seconds;
    seconds.emplace(seconds.begin(), "upload", upload);
    seconds.emplace(seconds.end() - 1, "catalogue", catalogue);
    r.catalogue = made ? std::move(*made) : fof_catalogue(points, r, c);
    return r;
}

}  // namespace

template <class T>
FofAndCatalogue fof_with_catalogue(Points<T> points, FofOptions const& o, CatalogueOptions<T> const& c,
                                   Cuda const& cuda) {
    if (!c.box.empty() && c.box != o.box)
        throw InputError("the catalogue has another box than the groups");
    CatalogueOptions<T> in_box = c;
    in_box.box = o.box;
    return on_cuda<FofAndCatalogue>(CudaDims{}, cuda, [&](auto& device) {
        Cpu().run([&] { check_catalogue_options(points, c); });
        if (has_memory(device, points, o, c)) return groups_there(device, points, o, in_box, cuda);
        FofAndCatalogue r{fof(points, o, cuda), {}};
        r.catalogue = fof_catalogue(points, r, in_box);
        return r;
    });
}

#define ZWALK_FOF_CATALOGUE(T)                                                                     \
    template FofCatalogue fof_catalogue(Points<T>, FofResult<> const&, CatalogueOptions<T> const&, \
                                        Cuda const&);                                              \
    template FofCatalogue fof_catalogue(DevicePoints<T>, FofResult<CudaDevice> const&,             \
                                        CatalogueOptions<T, CudaDevice> const&, Cuda const&);      \
    template FofAndCatalogue fof_with_catalogue(Points<T>, FofOptions const&,                      \
                                                CatalogueOptions<T> const&, Cuda const&);
ZWALK_FOF_CATALOGUE(float)
ZWALK_FOF_CATALOGUE(double)

}}  // namespace zwalk::v0
