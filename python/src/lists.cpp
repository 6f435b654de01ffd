// Python's lists, sets and dicts of what a search has found, as SciPy returns them: made here since a loop in Python takes longer
// than the search.
#include <utility>

#include "arrays.hpp"
#include "bind.hpp"
#include "shared_ints.hpp"

namespace zwalk::python {
namespace {

using namespace nb::literals;

using Indices = Column<index_t>;

nb::object checked(PyObject* made) {
    if (!made) throw nb::python_error();
    return nb::steal(made);
}
void check(int failed) {
    if (failed) throw nb::python_error();
}

/// Row i is indices[offsets[i]:offsets[i + 1]].
nb::object lists(SharedInts& ints, Indices const& offsets, Indices const& indices) {
    auto const row = [&](std::size_t i) {
        return std::pair(indices.data() + offsets.data()[i], indices.data() + offsets.data()[i + 1]);
    };
    return lists_of_rows(offsets.shape(0) - 1, row, ints, false);
}

nb::object pair(SharedInts& i_of, index_t i, SharedInts& j_of, index_t j) {
    nb::object const first = checked(i_of(i)), second = checked(j_of(j));
    nb::object made = checked(PyTuple_Pack(2, first.ptr(), second.ptr()));
    // Ints are in no cycle: so the collector would find, once it had looked at each.
    PyObject_GC_UnTrack(made.ptr());
    return made;
}

/// A set of tuples of the rows of an array.
nb::object set_of_pairs(PointArray<index_t> const& pairs, std::size_t n) {
    SharedInts ints(n);
    nb::object const set = checked(PySet_New(nullptr));
    for (std::size_t p = 0; p < pairs.shape(0); ++p) {
        index_t const* const row = pairs.data() + 2 * p;
        check(PySet_Add(set.ptr(), pair(ints, row[0], ints, row[1]).ptr()));
    }
    return set;
}

/// dict[i, j] = v for each entry.
template <class T>
void put_pairs(nb::dict const& dict, SharedInts& i_of, Indices const& i, SharedInts& j_of,
               Indices const& j, Column<T> const& v) {
    for (std::size_t e = 0; e < v.shape(0); ++e) {
        nb::object const value = checked(PyFloat_FromDouble(double(v.data()[e])));
        check(PyDict_SetItem(dict.ptr(), pair(i_of, i.data()[e], j_of, j.data()[e]).ptr(), value.ptr()));
    }
}

}  // namespace

void bind_lists(nb::module_& m) {
    nb::class_<SharedInts>(m, "SharedInts")
        .def(nb::init<std::size_t>(), "n"_a)
        .def("lists", &lists, "offsets"_a.noconvert(), "indices"_a.noconvert());
    def(m, "set_of_pairs", &set_of_pairs);
    def(m, "put_pairs", &put_pairs<float>);
    def(m, "put_pairs", &put_pairs<double>);
}

}  // namespace zwalk::python
