// What readers of HDF5 files need of the library. Only files that include <hdf5.h> include this one.
#pragma once
#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zwalk::io {

/// An HDF5 identifier that closes itself.
class Handle {
  public:
    using Closer = herr_t (*)(hid_t);
    Handle(hid_t id, Closer close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle const&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

  private:
    hid_t id_;
    Closer close_;
};

/// Opens it for reading.
/// @throws InputError
Handle open_hdf5_file(std::filesystem::path const& path);

/// Whether all groups on the way are there, and the object that they lead to.
bool hdf5_path_exists(hid_t file, std::string const& path);

/// An attribute of a group.
struct HeaderEntry {
    std::vector<double> numbers;  ///< empty: it isn't there, or `text` is no number
    std::string text;             ///< of one that is text
    [[nodiscard]] bool exists() const { return !numbers.empty() || !text.empty(); }
};
HeaderEntry header_entry(hid_t file, char const* group, char const* name);

/// Header/NumFilesPerSnapshot, or 1.
std::size_t files_of_snapshot(hid_t file);

/// The period as the headers have it.
struct HeaderBox {
    std::vector<double> lengths;  ///< empty: open space
    std::string note;             ///< why
};
/// @param name  of the file, for the note
/// @param dim   coordinates of its points
HeaderBox box_of_header(hid_t file, std::string const& name, int dim);

/// The mass of each particle of the kind whose masses would be in this dataset (PartType1/Masses), if Header/MassTable has it.
std::optional<double> mass_of_table(hid_t file, std::string const& dataset);

}  // namespace zwalk::io
