// Friends-of-friends groups and DBSCAN of points from any source, and columns of catalogues.
#pragma once
#include <nanobind/stl/vector.h>

#include <type_traits>

#include "where.hpp"
#include "zwalk/dbscan/dbscan.hpp"
#include "zwalk/fof/catalogue.hpp"
#include "zwalk/fof/fof.hpp"

namespace zwalk::python {

/// Groups, which a catalogue is made of.
struct Groups {
    FofResult<> found;
};

template <class Source, class... Where>
struct Fof {
    static constexpr char const* name = "fof";

    /// (labels, number of groups, Groups or None). The labels are those that the Groups hold, read-only.
    static nb::tuple call(Source const& points, double linking_length, Box const& box,
                          Where const&... where) {
        FofOptions const o{.linking_length = linking_length, .box = box};
        auto r = call_at([](auto const&... a) { return fof(a...); }, 1, points, o, where...);
        auto const groups = r.groups;
        if constexpr (std::is_same_v<decltype(r), FofResult<>>) {
            std::size_t const n = r.labels.size();
            nb::object const kept = nb::cast(Groups{std::move(r)});
            index_t const* const data = nb::cast<Groups&>(kept).found.labels.data();
            nb::ndarray<nb::numpy, index_t const> labels(data, {n}, kept);
            return nb::make_tuple(plain(nb::object(labels.cast())), groups, kept);
        } else {
            return nb::make_tuple(column(std::move(r.labels), where...), groups, nb::none());
        }
    }
};

/// Views of masses and velocities: these must stay.
template <class T>
CatalogueOptions<T> catalogue_options(std::size_t min_members, Box const& box,
                                      std::optional<Column<T>> const& masses,
                                      std::optional<PointArray<T>> const& velocities) {
    return {.min_members = min_members,
            .box = box,
            .masses = view(masses),
            .velocities = velocities ? view(*velocities) : Points<T>()};
}

/// What a catalogue says of its groups, in one process or on a rank; it is left without these columns.
inline nb::dict catalogue_dict(FofCatalogue& c, bool velocities) {
    std::size_t const n = c.size(), d = std::size_t(c.dim);
    nb::dict out;
    out["label"] = to_numpy(std::move(c.label));
    out["count"] = to_numpy(std::move(c.count));
    out["mass"] = to_numpy(std::move(c.mass));
    out["centre_of_mass"] = to_numpy(std::move(c.centre_of_mass), {n, d});
    if (velocities) {
        out["velocity"] = to_numpy(std::move(c.velocity), {n, d});
        out["velocity_dispersion"] = to_numpy(std::move(c.velocity_dispersion));
    }
    out["inertia_radius"] = to_numpy(std::move(c.inertia_radius));
    out["most_distant"] = to_numpy(std::move(c.most_distant));
    out["radius"] = to_numpy(std::move(c.radius));
    return out;
}

template <class Source, class... Where>
struct Dbscan {
    static constexpr char const* name = "dbscan";

    /// (labels, core, number of clusters)
    static nb::tuple call(Source const& points, double epsilon, index_t min_samples, Box const& box,
                          Where const&... where) {
        DbscanOptions const o{.epsilon = epsilon, .min_samples = min_samples, .box = box};
        auto r = call_at([](auto const&... a) { return dbscan(a...); }, 1, points, o, where...);
        return nb::make_tuple(column(std::move(r.labels), where...), column(std::move(r.core), where...),
                              r.clusters);
    }
};

}  // namespace zwalk::python
