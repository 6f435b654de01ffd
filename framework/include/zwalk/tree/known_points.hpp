// What is known of points before their tree is built.
#pragma once
#include "zwalk/tree/extent.hpp"

namespace zwalk { inline namespace v0 {

/// What need not be found out again.
template <class T>
struct KnownPoints {
    Extent<T> extent{0};  ///< theirs; without axes: it isn't known
    bool sorted = false;  ///< they are in z-order
};

}}  // namespace zwalk::v0
