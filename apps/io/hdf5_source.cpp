#include "hdf5_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "file.hpp"
#include "hdf5_virtual.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// Shape as (rows, columns).
std::pair<hsize_t, hsize_t> shape_of(hid_t dataset, std::string const& where) {
    Handle const space(H5Dget_space(dataset), H5Sclose);
    int const rank = H5Sget_simple_extent_ndims(space);
    if (rank != 1 && rank != 2)
        throw InputError(fmt::format("{} has {} dimensions; zwalk takes (N, D) or (N,)", where, rank));
    hsize_t shape[2] = {0, 1};
    H5Sget_simple_extent_dims(space, shape, nullptr);
    return {shape[0], shape[1]};
}

void check_width(std::uint64_t columns, std::string const& where) {
    if (columns < 1 || columns > std::uint64_t(max_dim))
        throw InputError(
            fmt::format("{} has {} columns; points have 1 to {} coordinates", where, columns, max_dim));
}

hid_t open_dataset(hid_t file, std::string const& name, std::string const& dataset) {
    if (std::string const link = broken_link(file, dataset); !link.empty())
        throw InputError(fmt::format("{}, dataset '{}' {}", name, escaped(dataset), link));
    if (dataset.empty() || !hdf5_path_exists(file, dataset))
        throw InputError(
            fmt::format("{} has no dataset '{}' (name another with --dataset)", name, escaped(dataset)));
    return H5Dopen2(file, dataset.c_str(), H5P_DEFAULT);
}

/// Space that was never written to reads as zeros.
bool was_written(hid_t data) {
    H5D_space_status_t status{};
    Handle const created(H5Dget_create_plist(data), H5Pclose);
    return H5Pget_layout(created) == H5D_VIRTUAL || H5Pget_external_count(created) > 0 ||
           H5Dget_space_status(data, &status) < 0 || status != H5D_SPACE_STATUS_NOT_ALLOCATED;
}

std::uint64_t particles_of_header(hid_t file, std::string const& group) {
    auto const counts = header_entry(file, "Header", "NumPart_ThisFile").numbers;
    auto const kind = std::size_t(group[group.size() - 2] - '0');
    return kind < counts.size() && counts[kind] > 0 ? std::uint64_t(counts[kind]) : 0;
}

constexpr std::uint64_t rows_at_once = 1 << 14;

}  // namespace

std::string group_of(std::string const& dataset) { return dataset.substr(0, dataset.rfind('/') + 1); }

Hdf5Dataset::Hdf5Dataset(hid_t file, std::filesystem::path const& path, std::string const& dataset)
    : data(open_dataset(file, quoted(path), dataset), H5Dclose),
      where(fmt::format("{}, dataset '{}'", quoted(path), escaped(dataset))) {
    if (!data)
        throw InputError(fmt::format(
            "{} is no dataset, but a group or a type: name a dataset with --dataset", where));
    Handle const type(H5Dget_type(data), H5Tclose);
    item_bytes = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_FLOAT || (item_bytes != 4 && item_bytes != 8))
        throw InputError(fmt::format("{} holds no float32 or float64", where));
    std::tie(rows, columns) = shape_of(data, where);
    if (rows > 0 && !was_written(data))
        throw InputError(
            fmt::format("{} has {} rows, but nothing has been written to them", where, rows));
}

template <class T>
void Hdf5Dataset::read(std::uint64_t first, std::uint64_t some, T* to) const {
    if (some == 0) return;
    Handle const all(H5Dget_space(data), H5Sclose);
    hsize_t const begin[2] = {first, 0}, count[2] = {some, columns};
    H5Sselect_hyperslab(all, H5S_SELECT_SET, begin, nullptr, count, nullptr);
    Handle const here(H5Screate_simple(H5Sget_simple_extent_ndims(all), count, nullptr), H5Sclose);
    hid_t const type = sizeof(T) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    if (H5Dread(data, type, here, all, H5P_DEFAULT, to) >= 0) return;
    if (std::string const filter = missing_filter(data); !filter.empty())
        throw InputError(fmt::format("{} {}", where, filter));
    throw InputError(fmt::format("cannot read {}: the dataset is damaged", where));
}

Hdf5Source::Hdf5Source(std::filesystem::path const& path, ReadOptions const& options)
    : file_(open_hdf5_file(path)) {
    if (take_constant(path, options)) return;
    Columns const& columns = options.columns;
    if (columns.named()) {
        for (auto const& item : columns.items()) {
            if (item.first > 0)
                throw InputError(
                    fmt::format("--columns of {} are names of datasets, or numbers of columns of one, "
                                "but not both",
                                quoted(path)));
            parts_.push_back({{file_, path, group_of(options.dataset) + item.name}, {}});
        }
    } else {
        parts_.push_back({{file_, path, options.dataset}, {}});
        Hdf5Dataset const& set = parts_[0].set;
        if (!columns.all()) parts_[0].chosen = columns.among(set.columns, {}, set.where);
    }
    where_ = parts_[0].set.where;
    rows_ = parts_[0].set.rows;
    for (auto const& [set, chosen] : parts_) {
        if (set.rows != rows_)
            throw InputError(
                fmt::format("{} has {} rows, but {} has {}", set.where, set.rows, where_, rows_));
        columns_ += chosen.empty() ? set.columns : chosen.size();
        item_bytes_ = std::max(item_bytes_, set.item_bytes);
        // One of the ranks looks for the files of all parts, of which there may be thousands.
        if (options.part.index == 0) check_virtual_parts(set.data, file_, path, set.where);
    }
    check_width(columns_, where_);
}

bool Hdf5Source::take_constant(std::filesystem::path const& path, ReadOptions const& options) {
    std::string const& dataset = options.dataset;
    if (hdf5_path_exists(file_, dataset)) return false;
    constant_ = mass_of_table(file_, dataset);
    if (!constant_) return false;
    std::string const group = group_of(dataset), beside = group + "Coordinates";
    where_ = fmt::format("{}, Header/MassTable", quoted(path));
    rows_ = hdf5_path_exists(file_, beside) ? Hdf5Dataset(file_, path, beside).rows
                                            : particles_of_header(file_, group);
    columns_ = 1;
    item_bytes_ = 8;
    return true;
}

template <class T>
void Hdf5Source::read(std::uint64_t first, std::uint64_t rows, T* to) const {
    if (constant_) {
        std::fill_n(to, rows, T(*constant_));
        return;
    }
    if (parts_.size() == 1 && parts_[0].chosen.empty()) return parts_[0].set.read(first, rows, to);
    std::size_t before = 0;  // columns of the parts before
    for (auto const& [set, chosen] : parts_) {
        std::size_t const width = chosen.empty() ? set.columns : chosen.size();
        Buffer<T> some(std::min(rows, rows_at_once) * set.columns);
        for (std::uint64_t begin = 0; begin < rows; begin += rows_at_once) {
            std::uint64_t const count = std::min(rows - begin, rows_at_once);
            set.read(first + begin, count, some.data());
            for (std::uint64_t i = 0; i < count; ++i)
                for (std::size_t j = 0; j < width; ++j)
                    to[(begin + i) * columns_ + before + j] =
                        some[i * set.columns + (chosen.empty() ? j : chosen[j])];
        }
        before += width;
    }
}
template void Hdf5Source::read<float>(std::uint64_t, std::uint64_t, float*) const;
template void Hdf5Source::read<double>(std::uint64_t, std::uint64_t, double*) const;

}  // namespace zwalk::io
