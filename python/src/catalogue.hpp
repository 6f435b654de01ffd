// Columns of a catalogue of groups.
#pragma once
#include "arrays.hpp"
#include "zwalk/fof/catalogue.hpp"

namespace zwalk::python {

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

}  // namespace zwalk::python
