#include "knn_input.hpp"

#include <fmt/format.h>

#include "../io/file.hpp"
#include "common.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {
namespace {

/// f(index), or otherwise() if there is none.
template <class F, class Otherwise>
auto with_index(KnnInput const& in, F const& f, Otherwise const& otherwise) {
    if (auto const* index = std::get_if<KnnIndex<float>>(&in.index)) return f(*index);
    if (auto const* index = std::get_if<KnnIndex<double>>(&in.index)) return f(*index);
    return otherwise();
}

void read_index(KnnInput& in, std::string const& path, int threads) {
    io::check_input_file(path);
    in.index_bytes = std::filesystem::file_size(path);
    if (index_item_bytes(path) == 4)
        in.index = KnnIndex<float>::load(path, threads);
    else
        in.index = KnnIndex<double>::load(path, threads);
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
io::Precision KnnInput::precision() const {
    if (has_index()) return index.index() == 1 ? io::Precision::f4 : io::Precision::f8;
    return sources.precision();
}

KnnInput read_knn_input(KnnFiles const& files, io::ReadOptions read, int threads, bool quiet) {
    KnnInput in;
    if (files.index.empty()) {
        in.sources = io::read_points(files.points, read);
        print_notes(in.sources, quiet);
    } else {
        read_index(in, files.index, threads);
    }
    in.has_queries = !files.query.empty();
    if (!in.has_queries) return in;
    read.precision = in.precision();
    in.queries = io::read_points(files.query, read);
    print_notes(in.queries, quiet);
    if (in.queries.dim != in.dim())
        throw InputError(fmt::format("the queries have {} coordinates, the points {}",
                                     in.queries.dim, in.dim()));
    return in;
}

}  // namespace zwalk::apps
