#include "pieces.hpp"

#include <fmt/format.h>

#include "parse.hpp"
#include "zwalk/core/available_memory.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::apps {

io::PointSet Heads::read(std::string const& file, io::ReadOptions options) {
    if (io::is_text(file))
        throw InputError(
            fmt::format("{}: a text can't be read in pieces, which takes .npy, .hdf5 or .h5",
                        io::name_of_input(file)));
    options.rows_of_files = io::rows_of_files(file, options);
    auto no_rows = options;
    no_rows.part = {0, std::numeric_limits<std::uint64_t>::max()};
    auto head = io::read_points(file, no_rows);
    options.precision = head.precision();
    // Of some columns of an array all are read at first.
    if (!options.columns.all() && head.total > 0 && std::filesystem::path(file).extension() == ".npy") {
        std::uint64_t const stored = head.stored_as == "float32" ? 4 : 8,
                            read = head.file_bytes / head.total / stored,
                            chosen = std::uint64_t(head.dim);
        if (read > chosen)
            rows_at_once_ =
                std::min(rows_at_once_, std::max<std::uint64_t>(1, most_rows_at_once * chosen / read));
    }
    asked_.push_back({file, std::move(options)});
    return head;
}

void refuse_in_pieces(bool asked, char const* what) {
    if (asked) throw InputError(fmt::format("{} doesn't work with --pieces yet", what));
}

std::uint64_t memory_in_pieces(CommonPlan const& plan) {
    return plan.budget > 0 ? plan.budget : available_memory() / 2;
}

std::string pieces_note(Need const& need, std::size_t pieces) {
    if (need.budget == 0 || need.peak() <= need.budget) return "";
    return fmt::format(
        "points in {} pieces need up to {}, more than the memory budget of {}; --pieces auto keeps to "
        "it, if any number does",
        pieces, human_bytes(double(need.peak())), human_bytes(double(need.budget)));
}

std::size_t asked_pieces(std::string const& text) {
    return text == "auto" ? 0
                          : std::size_t(parse_integer("--pieces", text, 1, std::int64_t(most_pieces)));
}

void check_disk(std::uint64_t needed, std::uint64_t results, std::filesystem::path const& directory) {
    std::uint64_t const free = std::filesystem::space(directory).available;
    if (needed + results > free)
        throw Error(
            fmt::format("not enough space in {}: up to {} for results and {} for temporary files are "
                        "needed, but {} are free",
                        io::quoted(directory), human_bytes(double(results)), human_bytes(double(needed)),
                        human_bytes(double(free))));
}

}  // namespace zwalk::apps
