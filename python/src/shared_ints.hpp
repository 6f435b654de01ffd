// What Python makes of indices: ints in lists, and in pairs of a set or a dict.
#pragma once
#include <nanobind/nanobind.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "sort_indices.hpp"
#include "zwalk/core/index.hpp"

namespace zwalk::python {
namespace nb = nanobind;

/// Indices of n points as Python's ints. Once there have been more than n of them, all that follow share one for each point: 8 bytes an
/// entry instead of 40. Used with the interpreter's lock held.
class SharedInts {
  public:
    explicit SharedInts(std::size_t n) : n_(n) {}
    SharedInts(SharedInts const&) = delete;
    SharedInts& operator=(SharedInts const&) = delete;
    ~SharedInts() {
        for (PyObject* each : shared_) Py_XDECREF(each);
    }

    /// A new reference.
    PyObject* operator()(index_t i) {
        constexpr std::size_t deaf = 1 << 16;  // ints between two looks at signals
        if (++handed_out_ % deaf == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        if (shared_.empty()) {
            if (made_++ < n_) return made(i);
            shared_.resize(n_);
        }
        PyObject*& each = shared_[std::size_t(i)];
        if (!each) each = made(i);
        Py_INCREF(each);
        return each;
    }
    nb::object list(index_t const* begin, index_t const* end) {
        nb::object const list = nb::steal(PyList_New(end - begin));
        if (!list.is_valid()) throw nb::python_error();
        for (Py_ssize_t at = 0; begin + at != end; ++at)
            PyList_SetItem(list.ptr(), at, (*this)(begin[at]));  // which keeps the reference
        return list;
    }

  private:
    static PyObject* made(index_t i) {
        PyObject* const it = PyLong_FromLongLong(i);
        if (!it) throw nb::python_error();
        return it;
    }

    std::size_t n_, made_ = 0, handed_out_ = 0;
    std::vector<PyObject*> shared_;
};

/// A list of lists: row i of `rows` is [begin(i), end(i)), if asked in the order of the indices.
template <class Row>
nb::object lists_of_rows(std::size_t rows, Row const& row, SharedInts& ints, bool by_index) {
    nb::object const lists = nb::steal(PyList_New(Py_ssize_t(rows)));
    if (!lists.is_valid()) throw nb::python_error();
    std::vector<index_t> sorted;
    SortIndices sort;
    for (std::size_t i = 0; i < rows; ++i) {
        auto [begin, end] = row(i);
        if (by_index) {
            sorted.assign(begin, end);
            sort(sorted.data(), sorted.data() + sorted.size());
            begin = sorted.data();
            end = begin + sorted.size();
        }
        PyList_SetItem(lists.ptr(), Py_ssize_t(i), ints.list(begin, end).release().ptr());
    }
    return lists;
}

}  // namespace zwalk::python
