// Whether catalogues are the same, bit by bit.
#pragma once
#include <algorithm>

#include "zwalk/fof/catalogue.hpp"

namespace test {

inline bool same_bits(zwalk::FofCatalogue const& a, zwalk::FofCatalogue const& b) {
    return a.label == b.label && a.count == b.count && a.mass == b.mass &&
           a.centre_of_mass == b.centre_of_mass && a.velocity == b.velocity &&
           a.velocity_dispersion == b.velocity_dispersion && a.inertia_radius == b.inertia_radius &&
           a.most_distant == b.most_distant && a.radius == b.radius && a.first == b.first &&
           std::equal(a.order.begin(), a.order.end(), b.order.begin(), b.order.end());
}

}  // namespace test
