// Parts of a virtual dataset that aren't there: the library reads fill values in their place, without an error.
#include "hdf5_virtual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "file.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

namespace fs = std::filesystem;

/// Text that two calls of the library give: one returns its length.
template <class Get>
std::string text_of(Get const& get) {
    ssize_t const length = get(nullptr, 0);
    std::string text(std::size_t(length > 0 ? length : 0) + 1, '\0');
    if (length > 0) get(text.data(), text.size());
    text.pop_back();
    return text;
}

/// Where the library looks for a file that a dataset in `from` names.
std::vector<fs::path> places_of(fs::path const& name, fs::path const& from) {
    fs::path const folder = from.parent_path();
    if (name.is_absolute()) return {name, folder / name.filename()};
    std::vector<fs::path> places;
    if (char const* const prefixes = std::getenv("HDF5_VDS_PREFIX")) {
        std::string const all = prefixes, origin = "${ORIGIN}";
        for (std::size_t at = 0; at <= all.size();) {
            std::size_t const end = std::min(all.find(':', at), all.size());
            std::string prefix = all.substr(at, end - at);
            if (prefix.starts_with(origin)) prefix = folder.string() + prefix.substr(origin.size());
            if (!prefix.empty()) places.push_back(fs::path(prefix) / name);
            at = end + 1;
        }
    }
    std::error_code ec;
    auto const real = fs::canonical(from, ec);
    places.push_back(folder / name);
    places.push_back(name);
    if (!ec) places.push_back(real.parent_path() / name);
    return places;
}

struct Mapping {
    std::string file, dataset;
    hssize_t wanted;  ///< numbers that it takes from there; < 0: as many as there are

    Mapping(hid_t created, std::size_t i)
        : file(text_of(
              [&](char* to, std::size_t n) { return H5Pget_virtual_filename(created, i, to, n); })),
          dataset(text_of(
              [&](char* to, std::size_t n) { return H5Pget_virtual_dsetname(created, i, to, n); })) {
        // As many as it gives: the extent of where they come from may be unknown.
        Handle const space(H5Pget_virtual_vspace(created, i), H5Sclose);
        wanted = H5Sget_select_npoints(space);
    }
    /// Numbered files ("%b") are as many as there are: what the library finds is all.
    [[nodiscard]] bool numbered() const {
        return file.find("%b") != file.npos || dataset.find("%b") != dataset.npos;
    }
};

std::string without_escapes(std::string text) {
    for (std::size_t at = 0; (at = text.find("%%", at)) != text.npos; ++at) text.erase(at, 1);
    return text;
}

void check_source(Mapping const& m, hid_t file, fs::path const& path, std::string const& where,
                  int depth) {
    std::string const name = without_escapes(m.file), dataset = without_escapes(m.dataset);
    fs::path found = path;
    if (name != ".") {
        std::error_code ec;
        found.clear();
        for (auto const& place : places_of(name, path))
            if (found.empty() && fs::exists(place, ec)) found = place;
        if (found.empty())
            throw InputError(fmt::format("{} is made of parts in other files, of which {} is missing",
                                         where, quoted(fs::path(name))));
    }
    Handle const other = name == "." ? Handle(H5Freopen(file), H5Fclose) : open_hdf5_file(found);
    Handle const data(
        hdf5_path_exists(other, dataset) ? H5Dopen2(other, dataset.c_str(), H5P_DEFAULT) : -1, H5Dclose);
    auto const from = fmt::format("{}, dataset '{}'", quoted(found), escaped(dataset));
    if (!data) throw InputError(fmt::format("{} is made of parts, of which {} is missing", where, from));
    Handle const space(H5Dget_space(data), H5Sclose);
    if (m.wanted > H5Sget_simple_extent_npoints(space))
        throw InputError(fmt::format("{} is made of parts, of which {} is too short", where, from));
    if (depth < 8) check_virtual_parts(data, other, found, from, depth + 1);
    if (std::string const filter = missing_filter(data); !filter.empty())
        throw InputError(fmt::format("{} {}", from, filter));
}

/// The name of a filter: by the number under which it is registered, if the file doesn't have it.
std::string name_of_filter(H5Z_filter_t id, std::string const& name) {
    static constexpr std::array<std::pair<int, char const*>, 10> known{{{4, "szip"},
                                                                        {307, "bzip2"},
                                                                        {32000, "LZF"},
                                                                        {32001, "Blosc"},
                                                                        {32004, "LZ4"},
                                                                        {32008, "bitshuffle"},
                                                                        {32013, "ZFP"},
                                                                        {32015, "Zstd"},
                                                                        {32017, "SZ"},
                                                                        {32026, "Blosc2"}}};
    for (auto const& [number, text] : known)
        if (number == id) return text;
    return escaped(name);
}

}  // namespace

void check_virtual_parts(hid_t data, hid_t file, fs::path const& path, std::string const& where,
                         int depth) {
    Handle const created(H5Dget_create_plist(data), H5Pclose);
    if (H5Pget_layout(created) != H5D_VIRTUAL) return;
    std::size_t count = 0;
    H5Pget_virtual_count(created, &count);
    hssize_t covered = 0;
    bool counted = true;
    for (std::size_t i = 0; i < count; ++i) {
        Mapping const m(created, i);
        counted = counted && !m.numbered() && m.wanted >= 0;
        covered += m.wanted;
        if (!m.numbered()) check_source(m, file, path, where, depth);
    }
    Handle const space(H5Dget_space(data), H5Sclose);
    hssize_t const all = H5Sget_simple_extent_npoints(space);
    if (counted && covered < all)
        throw InputError(fmt::format("{} is made of parts, which give only {} of its {} numbers", where,
                                     covered, all));
}

std::string broken_link(hid_t file, std::string const& path) {
    for (std::size_t at = path.find_first_not_of('/'); at < path.size();) {
        std::size_t const end = std::min(path.find('/', at), path.size());
        std::string const some = path.substr(0, end);
        H5L_info_t info{};
        if (H5Lexists(file, some.c_str(), H5P_DEFAULT) <= 0 ||
            H5Lget_info(file, some.c_str(), &info, H5P_DEFAULT) < 0)
            return "";
        bool const soft = info.type == H5L_TYPE_SOFT, other = info.type == H5L_TYPE_EXTERNAL;
        if ((soft || other) && H5Oexists_by_name(file, some.c_str(), H5P_DEFAULT) <= 0) {
            std::vector<char> value(info.u.val_size + 1);
            H5Lget_val(file, some.c_str(), value.data(), value.size(), H5P_DEFAULT);
            char const *name = nullptr, *object = value.data();
            if (other) H5Lunpack_elink_val(value.data(), info.u.val_size, nullptr, &name, &object);
            return fmt::format("is a link to '{}'{}, which isn't there", escaped(object),
                               other ? " of " + quoted(fs::path(name)) : "");
        }
        at = path.find_first_not_of('/', end);
    }
    return "";
}

std::string missing_filter(hid_t data) {
    Handle const created(H5Dget_create_plist(data), H5Pclose);
    for (int i = 0, n = H5Pget_nfilters(created); i < n; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        char name[64] = "";
        H5Z_filter_t const id =
            H5Pget_filter2(created, unsigned(i), &flags, &values, nullptr, sizeof name, name, &config);
        if (id < 0 || H5Zfilter_avail(id) > 0) continue;
        std::string const known = name_of_filter(id, name);
        return fmt::format(
            "is packed with the filter {}{}, which this HDF5 library lacks: set HDF5_PLUGIN_PATH to the "
            "folder of its plugin, or, where that is installed, unpack it (h5repack -f NONE IN OUT)",
            known.empty() ? "" : known + ", number ", id);
    }
    return "";
}

}  // namespace zwalk::io
