// What tests of algorithms on a HostDevice share.
#pragma once
#include <algorithm>

#include "knn/check.hpp"
#include "support/ways.hpp"
#include "zwalk/core/device_points.hpp"

namespace test {

template <int D, class T>
DevicePoints<T> on_device(Rows<D, T> const& rows) {  // a HostDevice has the host's memory
    return {rows.empty() ? nullptr : rows.front().data(), rows.size(), D};
}

/// The periods that a box of the user's options means.
template <class T>
std::vector<T> period_of(std::vector<double> const& box, int dim) {
    std::vector<T> period;
    for (int j = 0; !box.empty() && j < dim; ++j) {
        double const length = box.size() == 1 ? box[0] : box[std::size_t(j)];
        period.push_back(length > 0 ? T(length) : infinity<T>);
    }
    return period;
}

template <class V, class W>
bool same(DeviceBuffer<V> const& a, W const& b) {
    return std::equal(a.data(), a.data() + a.size(), b.begin(), b.end());
}

}  // namespace test
