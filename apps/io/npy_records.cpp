// Points from columns of records, which are arrays with names for columns.
#include <fmt/format.h>

#include <charconv>

#include "npy.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// A column, and where it is in a record.
struct Place {
    std::string name, descr;
    std::uint64_t begin = 0;

    [[nodiscard]] bool is_float() const {
        return descr.size() == 3 && descr[1] == 'f' && (descr[2] == '4' || descr[2] == '8');
    }
    [[nodiscard]] bool single() const { return descr[2] == '4'; }
    [[nodiscard]] bool swapped() const { return descr[0] == (npy_byte_order() == '<' ? '>' : '<'); }
};

/// "<f8": 8, "|S10": 10, "<U5": 20, "<M8[s]": 8; 0: unknown.
std::uint64_t bytes_of(std::string const& descr) {
    if (descr.size() < 3 || descr[1] == 'O') return 0;
    std::uint64_t bytes = 0;
    std::from_chars(descr.data() + 2, descr.data() + descr.size(), bytes);
    return bytes < (1U << 30) ? bytes * (descr[1] == 'U' ? 4 : 1) : 0;
}

struct Record {
    std::vector<Place> columns;
    std::uint64_t bytes = 0;
};

Record record_of(NpyHeader const& h, std::string const& name) {
    constexpr std::uint64_t most = 1 << 16;  // more columns than that are a damaged header
    Record record;
    for (NpyField const& field : h.fields) {
        std::uint64_t const bytes = bytes_of(field.descr);
        if ((bytes == 0 && field.descr != "|V0") || field.width > most || record.columns.size() > most)
            throw InputError(fmt::format("cannot read {}: its column '{}' is of type '{}'", name,
                                         escaped(field.name), escaped(field.descr)));
        for (std::uint64_t i = 0; i < field.width; ++i, record.bytes += bytes)
            if (field.descr.substr(0, 2) != "|V")  // space between columns
                record.columns.push_back(
                    {field.width == 1 ? field.name : fmt::format("{}_{}", field.name, i), field.descr,
                     record.bytes});
    }
    return record;
}

template <class T>
Buffer<T> read_rows(InputFile& file, NpyHeader const& h, std::vector<Place> const& columns,
                    std::uint64_t record_bytes, Part part) {
    std::uint64_t const first = part.begin(h.rows()), rows = part.end(h.rows()) - first;
    constexpr std::uint64_t at_once = 1 << 12;
    std::vector<unsigned char> raw(std::min(rows, at_once) * record_bytes);
    Buffer<T> out(rows * columns.size());
    file.seek(h.begin + first * record_bytes);
    for (std::uint64_t begin = 0; begin < rows; begin += at_once) {
        std::uint64_t const count = std::min(at_once, rows - begin);
        file.read(raw.data(), count * record_bytes);
        for (std::uint64_t i = 0; i < count; ++i)
            for (std::size_t j = 0; j < columns.size(); ++j) {
                auto const* const at = raw.data() + i * record_bytes + columns[j].begin;
                out[(begin + i) * columns.size() + j] =
                    columns[j].single() ? T(load_number<float>(at, columns[j].swapped()))
                                        : T(load_number<double>(at, columns[j].swapped()));
            }
    }
    return out;
}

}  // namespace

PointSet read_npy_record_points(InputFile& file, NpyHeader const& h, ReadOptions const& options) {
    Record const record = record_of(h, file.name());
    std::vector<std::string> names;
    for (Place const& column : record.columns) names.push_back(column.name);
    std::vector<Place> columns;
    bool single = true;
    for (std::size_t const i : options.columns.among(names.size(), names, file.name())) {
        columns.push_back(record.columns[i]);
        if (!columns.back().is_float())
            throw InputError(
                fmt::format("column '{}' of {} is of type '{}'; points must be float32 or "
                            "float64",
                            escaped(names[i]), file.name(), escaped(columns.back().descr)));
        single = single && columns.back().single();
    }
    if (h.shape.size() != 1)
        throw InputError(
            fmt::format("{} has shape {}; records are read from (N,)", file.name(), h.shape_text()));
    std::uint64_t const have = file.size() - h.begin;
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(record.bytes, h.rows(), &bytes) || bytes != have)
        throw InputError(fmt::format("{} is truncated or damaged: {} records of {} bytes don't fill {}",
                                     file.name(), h.rows(), record.bytes, have));
    PointSet set;
    set.total = h.rows();
    set.size = options.part.end(set.total) - options.part.begin(set.total);
    set.dim = int(columns.size());
    set.file_bytes = file.size();
    set.stored_as = single ? "float32" : "float64";
    if (options.precision.value_or(single ? Precision::f4 : Precision::f8) == Precision::f4)
        set.rows = read_rows<float>(file, h, columns, record.bytes, options.part);
    else set.rows = read_rows<double>(file, h, columns, record.bytes, options.part);
    return set;
}

}  // namespace zwalk::io
