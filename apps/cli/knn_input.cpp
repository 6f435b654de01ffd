#include "knn_input.hpp"

#include <fmt/format.h>

#include <utility>

#include "../io/file.hpp"
#include "common.hpp"
#include "knn.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

/// f(index), or otherwise() if there is none.
template <class F, class Otherwise>
auto with_index(KnnInput const& in, F const& f, Otherwise const& otherwise) {
    return std::visit(
        [&](auto const& index) {
            if constexpr (std::is_same_v<decltype(index), std::monostate const&>) return otherwise();
            else return f(index);
        },
        in.index);
}

template <class T>
void read_index_of(KnnInput& in, std::string const& path, std::string const& device, Cpu const& cpu,
                   Cuda const& cuda) {
    if (device_for(device, index_dim(path)) == "cuda") in.index = CudaIndex<T>::load(path, cuda);
    else in.index = Index<T>::load(path, cpu);
}

void read_index(KnnInput& in, std::string const& path, std::string const& device, Cpu const& cpu,
                Cuda const& cuda) {
    io::check_input_file(path);
    in.index_bytes = std::filesystem::file_size(path);
    if (index_item_bytes(path) == 4) read_index_of<float>(in, path, device, cpu, cuda);
    else read_index_of<double>(in, path, device, cpu, cuda);
}

}  // namespace

std::size_t KnnInput::source_count() const {
    return with_index(
        *this, [](auto const& i) { return i.size(); }, [&] { return sources.size; });
}
int KnnInput::dim() const {
    return with_index(
        *this, [](auto const& i) { return i.dim(); }, [&] { return sources.dim; });
}
std::vector<double> KnnInput::index_box() const {
    return with_index(
        *this, [](auto const& i) { return i.box(); }, [] { return std::vector<double>(); });
}
io::Precision KnnInput::precision() const {
    if (has_index()) return index.index() % 2 == 1 ? io::Precision::f4 : io::Precision::f8;
    return sources.precision();
}

KnnInput read_knn_input(KnnFiles const& files, io::ReadOptions read, Sphere const& sphere,
                        std::string const& device, Cpu const& cpu, Cuda const& cuda, bool quiet) {
    KnnInput in;
    if (files.index.empty()) {
        in.sources = io::read_points(files.points, read);
        print_notes(in.sources, quiet);
        sphere.to_unit_vectors(in.sources);
    } else {
        read_index(in, files.index, device, cpu, cuda);
        sphere.refuse(in.dim() != 3 || !in.index_box().empty(),
                      "the index was saved without it; leave it out, or save the index with it");
    }
    in.has_queries = !files.query.empty();
    if (!in.has_queries) return in;
    auto const asked = std::exchange(read.precision, in.precision());
    in.queries = io::read_points(files.query, sphere.reading(read));
    print_notes(in.queries, "queries", asked, quiet);
    sphere.to_unit_vectors(in.queries, in.precision(), "queries");
    check_queries(in.queries.dim, in.dim());
    return in;
}

}  // namespace zwalk::apps
