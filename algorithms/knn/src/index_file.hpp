// What reading and writing an index has in common wherever the index lives.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "zwalk/core/error.hpp"
#include "zwalk/tree/extent.hpp"
#include "zwalk/tree/tree_file.hpp"

namespace zwalk::inline v0::detail {

/// A period per axis as the file has it: 0 on open axes.
template <class T>
std::vector<double> box_of(std::vector<T> const& period) {
    std::vector<double> box(period.begin(), period.end());
    for (double& length : box)
        if (length == infinity<double>) length = 0;
    return box;
}

/// Least and largest coordinates of columns.
template <class T>
Extent<T> extent_of(Tree<T, Cpu> const& tree, int dim) {
    Extent<T> extent(dim);
    std::size_t const n = tree.size();
    for (std::size_t j = 0; j < std::size_t(dim) && n > 0; ++j) {
        T const* const column = tree.x.data() + j * tree.stride;
        auto const [lo, hi] = std::minmax_element(column, column + n);
        extent.lo[j] = *lo;
        extent.hi[j] = *hi;
    }
    return extent;
}

/// read(stream) of a file; what it refuses is said with the file's name.
template <class Read>
auto read_file(std::filesystem::path const& path, Read const& read) {
    std::ifstream file(path, std::ios::binary);
    try {
        if (!file) throw InputError(std::strerror(errno));
        return read(file);
    } catch (InputError const& error) {
        throw InputError(fmt::format("cannot read '{}': {}", path.string(), error.what()));
    }
}

}  // namespace zwalk::inline v0::detail
