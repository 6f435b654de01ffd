#include "hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "file.hpp"
#include "points.hpp"
#include "real_text.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// An attribute of one text, of fixed length or not.
std::string read_text(hid_t attribute, hid_t type) {
    if (H5Tis_variable_str(type) > 0) {
        char* text = nullptr;
        if (H5Aread(attribute, type, static_cast<void*>(&text)) < 0 || !text) return "";
        std::string out(text);
        H5free_memory(text);
        return out;
    }
    std::string out(H5Tget_size(type), '\0');
    if (H5Aread(attribute, type, out.data()) < 0) return "";
    return out.substr(0, out.find('\0'));
}

/// All numbers of a text that holds nothing else but brackets, commas and white space.
std::vector<double> numbers_in(std::string const& text) {
    std::vector<double> numbers;
    char const *at = text.data(), *const end = at + text.size();
    auto const skip = [&] {
        while (at < end && std::string_view("[](), \t\n\r").find(*at) != std::string_view::npos) ++at;
    };
    for (skip(); at < end; skip()) {
        double value = 0;
        auto const r = real_from_chars(at, end, value);
        if (r.ec != std::errc()) return {};
        numbers.push_back(value);
        at = r.ptr;
    }
    return numbers;
}

}  // namespace

// Locks of files, which some file systems of clusters don't have, are for processes that write.
Handle open_hdf5_file(std::filesystem::path const& path) {
    check_input_file(path);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are reported here, not by the library
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    H5Pset_file_locking(access, false, true);
#endif
    hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    if (file < 0)
        throw InputError(quoted(path) +
                         (H5Fis_hdf5(path.c_str()) > 0
                              ? " is an HDF5 file, but it is truncated, damaged, or still being written"
                              : " is no HDF5 file"));
    return {file, H5Fclose};
}

// H5Oexists_by_name and H5Lexists fail when a group on the way is missing, so each is looked up.
bool hdf5_path_exists(hid_t file, std::string const& path) {
    for (std::size_t at = path.find_first_not_of('/'); at < path.size();) {
        std::size_t const end = std::min(path.find('/', at), path.size());
        if (H5Lexists(file, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
        at = path.find_first_not_of('/', end);
    }
    return true;
}

HeaderEntry header_entry(hid_t file, char const* group, char const* name) {
    if (!hdf5_path_exists(file, group)) return {};
    Handle const object(H5Oopen(file, group, H5P_DEFAULT), H5Oclose);
    if (!object || H5Aexists(object, name) <= 0) return {};
    Handle const attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
    Handle const space(H5Aget_space(attribute), H5Sclose);
    hssize_t const n = H5Sget_simple_extent_npoints(space);
    if (n < 1 || n > max_dim) return {};
    Handle const type(H5Aget_type(attribute), H5Tclose);
    HeaderEntry entry;
    if (H5Tget_class(type) == H5T_STRING) {
        if (n == 1) entry.text = read_text(attribute, type);
        entry.numbers = numbers_in(entry.text);
        return entry;
    }
    entry.numbers.resize(static_cast<std::size_t>(n));
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, entry.numbers.data()) < 0) return {};
    return entry;
}

std::size_t files_of_snapshot(hid_t file) {
    auto const files = header_entry(file, "Header", "NumFilesPerSnapshot").numbers;
    return !files.empty() && files[0] > 1 && files[0] < 1e6 ? std::size_t(files[0]) : 1;
}

HeaderBox box_of_header(hid_t file, std::string const& name, int dim) {
    char const* group = "Header";
    HeaderEntry entry = header_entry(file, group, "BoxSize");
    if (entry.numbers.empty()) {  // where some codes keep what they were started with
        HeaderEntry other = header_entry(file, "Parameters", "BoxSize");
        if (!other.numbers.empty() || !entry.exists()) entry = std::move(other), group = "Parameters";
    }
    auto const open = [&](std::string const& why) {
        return HeaderBox{{}, fmt::format("{}: {}: open space (--box L makes it periodic)", name, why)};
    };
    if (!entry.exists()) return open("there is no Header/BoxSize");
    if (entry.numbers.empty())
        return open(fmt::format("{}/BoxSize is '{}', which is no number", group,
                                escaped(entry.text.substr(0, 40))));
    if (entry.numbers.size() != 1 && entry.numbers.size() != std::size_t(dim))
        return open(fmt::format("{}/BoxSize has {} numbers for {} coordinates and is not used", group,
                                entry.numbers.size(), dim));
    if (!std::all_of(entry.numbers.begin(), entry.numbers.end(),
                     [](double l) { return std::isfinite(l) && l >= 0; }))
        return open(fmt::format("{}/BoxSize isn't a length", group));
    if (std::all_of(entry.numbers.begin(), entry.numbers.end(), [](double l) { return l == 0; }))
        return {};
    return {std::move(entry.numbers), ""};
}

std::optional<double> mass_of_table(hid_t file, std::string const& dataset) {
    std::string_view name = dataset;
    if (name.starts_with('/')) name.remove_prefix(1);
    constexpr std::string_view before = "PartType", behind = "/Masses";
    if (!name.starts_with(before) || !name.ends_with(behind)) return {};
    name = name.substr(before.size(), name.size() - before.size() - behind.size());
    std::size_t kind = 0;
    auto const r = std::from_chars(name.data(), name.data() + name.size(), kind);
    auto const table = header_entry(file, "Header", "MassTable").numbers;
    if (r.ec != std::errc() || r.ptr != name.data() + name.size() || kind >= table.size()) return {};
    return table[kind] > 0 ? std::optional(table[kind]) : std::nullopt;
}

}  // namespace zwalk::io
