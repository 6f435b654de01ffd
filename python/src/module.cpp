// The extension module zwalk._core: errors, threads, and what the other sources bind.
#include <nanobind/nanobind.h>
#include <tbb/global_control.h>
#include <tbb/version.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "bind.hpp"
#include "where.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/core/keep_memory.hpp"
#include "zwalk/core/wrap_first.hpp"
#include "zwalk/exec/cpu.hpp"
#include "zwalk/exec/cuda.hpp"
#include "zwalk/exec/isa.hpp"
#include "zwalk/radius/radius.hpp"

namespace {

/// The library's sentences as Python has them: to one of them it has the remedy.
void refuse(std::exception_ptr const& thrown, void* input_error) {
    try {
        std::rethrow_exception(thrown);
    } catch (zwalk::InputError const& e) {
        std::string what = e.what();
        if (zwalk::says_wrap_first(what)) what += " (points % box)";
        PyErr_SetString(static_cast<PyObject*>(input_error), what.c_str());
    }
}

/// How the module was built, and what this machine has of it: for zwalk.show_config().
nanobind::dict config() {
    nanobind::dict facts;
    facts["compiler"] = ZWALK_COMPILER;
    facts["columns"] = ZWALK_DIMS_TEXT;
    facts["instructions"] = zwalk::name_of(zwalk::best_isa());
    facts["threads"] = zwalk::Cpu().threads();
    facts["TBB"] = std::string(TBB_runtime_version());
    facts["GPU columns"] = zwalk::cuda_max_dim();
    nanobind::list devices;
    for (int i = 0; i < zwalk::cuda_devices(); ++i) devices.append(zwalk::cuda_device_name(i));
    facts["GPUs"] = devices;
    return facts;
}

/// A variable of the environment; "" if it isn't there. os.environ takes ten times as long to say so.
char const* environment(char const* name) {
    char const* const value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

/// By this symbol zwalk/threadpoolctl.py knows this module among others of its name.
extern "C" __attribute__((visibility("default"))) int zwalk_python_module() { return 1; }

NB_MODULE(_core, m) {
    namespace nb = nanobind;
    zwalk::best_isa();  // a build for another CPU isn't imported: its sentence is the ImportError
    // Error first: translators are tried from the last one registered.
    nb::exception<zwalk::Error> const error(m, "Error", PyExc_RuntimeError);
    nb::exception<zwalk::InputError> const input_error(
        m, "InputError", nb::make_tuple(error, nb::handle(PyExc_ValueError)));
    error.attr("__doc__") = "The work failed: no memory, a budget that doesn't suffice, a file, ...";
    input_error.attr("__doc__") = "What was passed can't be used as it is; a ValueError.";
    nb::register_exception_translator(refuse, input_error.ptr());
    nb::class_<zwalk::python::Threads>(m, "Threads");
    nb::class_<zwalk::python::Here, zwalk::python::Threads>(m, "Here").def(
        nb::init<int, std::uint64_t, int>());
    zwalk::python::bind_points(m);
    zwalk::python::bind_knn(m);
    zwalk::python::bind_lists(m);
    zwalk::python::bind_with_data(m);
    zwalk::python::bind_index(m);
    zwalk::python::bind_groups(m);
    zwalk::python::bind_clusters(m);
    zwalk::python::bind_models(m);
    zwalk::python::bind_cuda(m);
    m.attr("version") = ZWALK_VERSION;
    m.attr("few_found") = zwalk::detail::few_found;
    m.attr("max_dim") = ZWALK_MAX_DIM;  // a build with few dimensions refuses points of more
    // For what Python makes of results, which the library doesn't know of.
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    m.def("keep_memory", &zwalk::keep_memory, Unlocked());
    m.def("kept_memory", &zwalk::kept_memory);
    m.def(
        "available_memory", [] { return zwalk::available_memory(); }, Unlocked());
    m.def("config", &config);
    m.def("threads", [] { return zwalk::Cpu().threads(); });
    m.def("environment", &environment);
    // Worker threads don't survive a fork: a child whose parent had some works alone from then on. So they end
    // before (os.register_at_fork in __init__.py), and both sides start new ones when they need them.
    m.def("end_threads", [] {
        nb::gil_scoped_release const unlocked;
        tbb::task_scheduler_handle handle{tbb::attach{}};
        return tbb::finalize(handle, std::nothrow);
    });
}
