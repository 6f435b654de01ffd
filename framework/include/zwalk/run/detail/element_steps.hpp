// Steps over elements of arrays, for Place::for_each, that verbs take (call_points.hpp).
#pragma once
#include <cstddef>
#include <cstdint>

#include "zwalk/core/config.hpp"
#include "zwalk/core/index.hpp"
#include "zwalk/exec/place.hpp"

namespace zwalk { inline namespace v0 { namespace detail {

/// values[to[i]] = min(itself, by[i]).
struct LowerAt {
    pos_t const* by;
    index_t const* to;
    pos_t* values;
    ZWALK_HD void operator()(std::size_t i) const { atomic_min(values + to[i], by[i]); }
};
/// other[i] = not flag[i].
struct Negate {
    std::uint8_t const* flag;
    std::uint8_t* other;
    ZWALK_HD void operator()(std::size_t i) const { other[i] = !flag[i]; }
};
/// to[i] = from[i], in another type.
template <class V, class U>
struct Convert {
    V const* from;
    U* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = U(from[i]); }
};
/// to[i] = from[at[i]].
template <class V>
struct GatherAt {
    V const* from;
    index_t const* at;
    V* to;
    ZWALK_HD void operator()(std::size_t i) const { to[i] = from[at[i]]; }
};

}}}  // namespace zwalk::v0::detail
