// What a dataset of an HDF5 file needs beside the file: other files, and filters.
#pragma once
#include <filesystem>
#include <string>

#include "hdf5_file.hpp"

namespace zwalk::io {

/// All parts of a virtual dataset are there: where one is missing, the library reads fill values in its place.
/// @param where  the dataset, for messages
/// @param depth  parts may be virtual themselves
/// @throws InputError  naming what is missing
void check_virtual_parts(hid_t data, hid_t file, std::filesystem::path const& path,
                         std::string const& where, int depth = 0);

/// The words on a link on the way to a dataset that leads nowhere ("is a link to ..."); "": there is none.
std::string broken_link(hid_t file, std::string const& path);

/// The words on a dataset that is packed with a filter that isn't there ("is packed with ..."); "": all of them are.
std::string missing_filter(hid_t data);

}  // namespace zwalk::io
