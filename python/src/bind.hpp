// The parts of the module, one for each source; and how functions are bound. Names, defaults, conversions and docs are Python's
// (../zwalk): what is bound here takes all of its arguments, by position.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <type_traits>

namespace zwalk::python {
namespace nb = nanobind;

void bind_points(nb::module_& m);
void bind_knn(nb::module_& m);
void bind_index(nb::module_& m);
void bind_lists(nb::module_& m);
void bind_with_data(nb::module_& m);
void bind_groups(nb::module_& m);
void bind_clusters(nb::module_& m);
void bind_models(nb::module_& m);
void bind_cuda(nb::module_& m);

template <class A>
inline constexpr bool is_array = false;
template <class... Kind>
inline constexpr bool is_array<nb::ndarray<Kind...>> = true;
template <class A>
inline constexpr bool is_array<std::optional<A>> = is_array<A>;

/// nanobind doesn't convert arrays: zwalk/_points.py has done so, where nothing is rounded in silence.
template <class A>
constexpr auto argument() {
    if constexpr (is_array<std::remove_cvref_t<A>>) return nb::arg().noconvert();
    else return nb::arg();
}
template <class R, class... A>
void def(nb::module_& m, char const* name, R (*f)(A...)) {
    m.def(name, f, argument<A>()...);
}
template <class C, class R, class... A>
void def(nb::class_<C>& c, char const* name, R (*f)(C const&, A...)) {
    c.def(name, f, argument<A>()...);
}

/// Functions of points from a source, which say where they are worked on as their last argument (an index has its place). Each F is
/// a template with a name, and a call that is the same for all sources.
template <class Source, class... Where>
struct FunctionsOf {
    template <template <class, class...> class... F, class Scope>
    static void bind(Scope& scope) {
        (def(scope, F<Source, Where...>::name, &F<Source, Where...>::call), ...);
    }
};

}  // namespace zwalk::python
