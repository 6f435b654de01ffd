// The base of zwalk.KDTree: its attribute `data`, which is made when it is first asked for. A property in Python takes half as long
// again to read as an attribute of SciPy's tree, and what is quick in Python could be written to.
#include <atomic>

#include "bind.hpp"

namespace zwalk::python {
namespace {

struct WithData {
    PyObject_HEAD PyObject* data;  // null: not made yet
};

/// The object's field, which any number of threads may read while one sets it, once.
std::atomic_ref<PyObject*> data_of(PyObject* self) {
    return std::atomic_ref(reinterpret_cast<WithData*>(self)->data);
}

PyObject* made(PyObject* self, void*) {
    PyObject* there = data_of(self).load(std::memory_order_acquire);
    if (!there) {
        PyObject* const made = PyObject_CallMethod(self, "_make_data", nullptr);
        if (!made) return nullptr;
        if (data_of(self).compare_exchange_strong(there, made)) there = made;
        else Py_DECREF(made);  // another thread was faster
    }
    Py_INCREF(there);
    return there;
}

PyObject* made_or_none(PyObject* self, void*) {
    PyObject* const there = data_of(self).load(std::memory_order_acquire);
    PyObject* const it = there ? there : Py_None;
    Py_INCREF(it);
    return it;
}

void end(PyObject* self) {
    PyTypeObject* const type = Py_TYPE(self);
    Py_XDECREF(reinterpret_cast<WithData*>(self)->data);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

PyGetSetDef attributes[] = {
    {"data", &made, nullptr,
     "The points, shape (n, m), read-only; made when it is first asked for, and kept.", nullptr},
    {"_data", &made_or_none, nullptr, "The same, or None if nobody has asked for it.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(&end)}, {Py_tp_getset, attributes}, {0, nullptr}};

PyType_Spec spec = {"zwalk._core.WithData", sizeof(WithData), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

void bind_with_data(nb::module_& m) {
    nb::object const type = nb::steal(PyType_FromSpec(&spec));
    if (!type.is_valid()) throw nb::python_error();
    m.attr("WithData") = type;
}

}  // namespace zwalk::python
