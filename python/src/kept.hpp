// Points that are kept by an index, or by what holds one.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "byte_streams.hpp"
#include "run.hpp"
#include "where.hpp"
#include "zwalk/run/index.hpp"
#include "zwalk/run/index_rows.hpp"

namespace zwalk::python {

/// An index whose own threads have never begun. (Calls take others, like it.) Ones that have would keep oneTBB from ending
/// them all before a fork, and children would work alone.
template <class T>
Index<T> at_rest(Index<T>&& index) {
    index.place() = index.place().apart();
    return std::move(index);
}

/// The same for what holds one, as a model does.
template <class Holder>
Holder at_rest(Holder&& holder) {
    holder.index().place() = holder.index().place().apart();
    return std::move(holder);
}

/// What an index, or a model, writes into a file, without checksums: pickles of arrays have none either.
template <class Kept>
nb::bytes bytes_of(Kept const& kept) {
    ByteCount bytes;
    run(false, [&] { return write_to(bytes, kept), 0; });
    auto made = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, Py_ssize_t(bytes.count())));
    if (!made.is_valid()) throw nb::python_error();
    BytesOut to(PyBytes_AsString(made.ptr()), bytes.count());
    run(false, [&] { return write_to(to, kept), 0; });
    return made;
}
template <class Kept>
Kept from_bytes(nb::bytes const& b, int threads, std::uint64_t memory_budget) {
    BytesIn from(b.c_str(), b.size());
    return run(false, [&] {
        std::istream in(&from);
        unsealed(in);
        return at_rest(Kept::read(in, Cpu(threads, memory_budget)));
    });
}
/// The same on a GPU.
template <class Kept>
Kept from_bytes_there(nb::bytes const& b, Here const& where) {
    BytesIn from(b.c_str(), b.size());
    std::istream in(&from);
    unsealed(in);
    return where.on_gpu([&](Cuda const& cuda) { return Kept::read(in, cuda); });
}
/// Binds how it is saved, loaded and pickled.
template <class Kept>
void bind_files(nb::class_<Kept>& kept) {
    kept.def("save", [](Kept const& it,
                        std::string const& path) { run(false, [&] { return it.save(path), 0; }); })
        .def_static("load",
                    [](std::string const& path, int threads, std::uint64_t memory_budget) {
                        return run(false, [&] {
                            return at_rest(Kept::load(path, Cpu(threads, memory_budget)));
                        });
                    })
        .def("to_bytes", &bytes_of<Kept>)
        .def_static("from_bytes", &from_bytes<Kept>);
}

/// The points themselves, in the order of the input.
template <class T>
nb::object data_of(Index<T> const& index) {
    auto rows = run(false, [&] { return zwalk::detail::rows_of_index(index); });
    return to_numpy(std::move(rows), {index.size(), std::size_t(index.dim())});
}

}  // namespace zwalk::python
