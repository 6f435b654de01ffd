// What zwalk knn works on: points from files, or an index from a file or made of them.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "../io/points.hpp"
#include "sphere.hpp"
#include "zwalk/knn/knn.hpp"

namespace zwalk::apps {

/// Sources, and queries in the same precision. The sources are points, an index, or both.
struct KnnInput {
    io::PointSet sources, queries;
    bool has_queries = false;
    std::variant<std::monostate, Index<float>, Index<double>, CudaIndex<float>, CudaIndex<double>> index;
    std::uint64_t index_bytes = 0;  ///< of the file it was read from

    [[nodiscard]] bool has_index() const { return index.index() != 0; }
    [[nodiscard]] std::size_t source_count() const;
    [[nodiscard]] std::size_t rows() const { return has_queries ? queries.size : source_count(); }
    [[nodiscard]] int dim() const;
    /// That of the index: one period per axis, or empty.
    [[nodiscard]] std::vector<double> index_box() const;
    [[nodiscard]] io::Precision precision() const;
    [[nodiscard]] std::size_t item_bytes() const { return precision() == io::Precision::f4 ? 4 : 8; }
};

/// Which files, "" where there is none: `points` or `index` gives the sources.
struct KnnFiles {
    std::string points, index, query;
};

/// Reads them, points on a sphere as its unit vectors, an index to `device` (auto, cpu or cuda: one of the places); notes go to stderr.
/// @throws InputError  a file can't be used, or the queries have other columns than the sources
KnnInput read_knn_input(KnnFiles const& files, io::ReadOptions read, Sphere const& sphere,
                        std::string const& device, Cpu const& cpu, Cuda const& cuda, bool quiet);

}  // namespace zwalk::apps
