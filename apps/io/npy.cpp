// Reading and writing the numbers of .npy files.
#include "npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

constexpr std::size_t chunk_elements = std::size_t(1) << 16;

/// Elements [first, first + count), in file order.
struct Elements {
    std::uint64_t first, count;
};

/// Calls put(i, value) for every i < some.count; S is the type in the file.
template <class S, class Put>
void for_each_stored(InputFile& file, NpyHeader const& h, Elements some, Put const& put) {
    std::vector<unsigned char> raw(std::min<std::uint64_t>(some.count, chunk_elements) * sizeof(S));
    file.seek(h.begin + some.first * sizeof(S));
    for (std::uint64_t begin = 0; begin < some.count; begin += chunk_elements) {
        std::uint64_t const count = std::min<std::uint64_t>(chunk_elements, some.count - begin);
        file.read(raw.data(), count * sizeof(S));
        for (std::uint64_t i = 0; i < count; ++i)
            put(begin + i, load_number<S>(raw.data() + i * sizeof(S), h.swapped()));
    }
}

/// Calls put(i, value) for numbers of a type that is known at run time; false if there is no such type.
template <class Put>
bool for_each_number(InputFile& file, NpyHeader const& h, Elements some, Put const& put) {
    auto run = [&]<class S>(S) { return for_each_stored<S>(file, h, some, put), true; };
    std::size_t const bytes = h.item_bytes();
    if (h.kind() == 'f') return bytes == 4 ? run(float()) : bytes == 8 ? run(double()) : false;
    if (h.kind() == 'b') return bytes == 1 && run(std::uint8_t());
    bool const sign = h.kind() == 'i';
    switch (bytes) {
        case 1:
            return sign ? run(std::int8_t()) : run(std::uint8_t());
        case 2:
            return sign ? run(std::int16_t()) : run(std::uint16_t());
        case 4:
            return sign ? run(std::int32_t()) : run(std::uint32_t());
        case 8:
            return sign ? run(std::int64_t()) : run(std::uint64_t());
        default:
            return false;
    }
}

/// The numbers of some rows in C order, as T.
template <class T>
Buffer<T> read_rows(InputFile& file, NpyHeader const& h, Part part) {
    std::uint64_t const first = part.begin(h.rows()), rows = part.end(h.rows()) - first,
                        columns = h.columns();
    Buffer<T> out(rows * columns);
    if (h.fortran) {
        for (std::uint64_t column = 0; column < columns; ++column)
            for_each_number(file, h, {column * h.rows() + first, rows},
                            [&](std::uint64_t row, auto v) { out[row * columns + column] = T(v); });
    } else if (!h.swapped() && h.item_bytes() == sizeof(T)) {
        file.seek(h.begin + first * columns * sizeof(T));
        file.read(out.data(), out.size() * sizeof(T));
    } else {
        for_each_number(file, h, {first * columns, rows * columns},
                        [&](std::uint64_t i, auto v) { out[i] = T(v); });
    }
    return out;
}

template <class T>
constexpr char const* descr_of();
template <>
constexpr char const* descr_of<float>() {
    return "f4";
}
template <>
constexpr char const* descr_of<double>() {
    return "f8";
}
template <>
constexpr char const* descr_of<std::int64_t>() {
    return "i8";
}
template <>
constexpr char const* descr_of<std::uint8_t>() {
    return "u1";
}

/// Some columns of rows.
template <class T>
Buffer<T> chosen_of(Buffer<T> const& rows, std::uint64_t columns,
                    std::vector<std::size_t> const& chosen) {
    std::size_t const size = rows.size() / columns;
    Buffer<T> out(size * chosen.size());
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < chosen.size(); ++j)
            out[i * chosen.size() + j] = rows[i * columns + chosen[j]];
    return out;
}

}  // namespace

char npy_byte_order() { return std::endian::native == std::endian::little ? '<' : '>'; }

std::string npy_header_text(std::string const& descr, std::vector<std::uint64_t> const& shape) {
    std::string dict = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    // Padded with spaces so that the numbers begin at a multiple of 64 bytes.
    std::size_t const before = 10;
    dict.append(63 - (before + dict.size()) % 64, ' ').push_back('\n');
    std::string text("\x93NUMPY\x01\x00", 8);
    text.push_back(char(dict.size() & 255));
    text.push_back(char(dict.size() >> 8));
    return text + dict;
}

template <class T>
std::string npy_header_of(std::vector<std::uint64_t> const& shape) {
    char const order = sizeof(T) == 1 ? '|' : npy_byte_order();  // none for one byte
    return npy_header_text(fmt::format("'{}{}'", order, descr_of<T>()), shape);
}
template std::string npy_header_of<float>(std::vector<std::uint64_t> const&);
template std::string npy_header_of<double>(std::vector<std::uint64_t> const&);
template std::string npy_header_of<std::int64_t>(std::vector<std::uint64_t> const&);
template std::string npy_header_of<std::uint8_t>(std::vector<std::uint64_t> const&);

PointSet read_npy_points(std::filesystem::path const& path, ReadOptions const& options) {
    InputFile file(path);
    if (!options.columns.all())
        if (NpyHeader const h = scan_npy_header(file); !h.fields.empty())
            return read_npy_record_points(file, h, options);
    file.seek(0);
    NpyHeader const h = read_npy_header(file);
    if (h.kind() != 'f' || (h.item_bytes() != 4 && h.item_bytes() != 8))
        throw InputError(
            fmt::format("{} holds {} (descr '{}'); points must be float32 or float64 "
                        "(numpy: a.astype('f4') or a.astype('f8'))",
                        file.name(), h.dtype(), h.descr));
    // Also refuses absurd widths before they are narrowed to int.
    auto const chosen = options.columns.all() ? std::vector<std::size_t>()
                                              : options.columns.among(h.columns(), {}, file.name());
    if (chosen.empty() && (h.columns() < 1 || h.columns() > std::uint64_t(max_dim)))
        throw InputError(fmt::format("{} has shape {}; points have 1 to {} coordinates", file.name(),
                                     h.shape_text(), max_dim));
    PointSet set;
    set.total = h.rows();
    set.size = options.part.end(set.total) - options.part.begin(set.total);
    set.dim = int(chosen.empty() ? h.columns() : chosen.size());
    set.file_bytes = file.size();
    set.stored_as = h.dtype();
    Precision const own = h.item_bytes() == 4 ? Precision::f4 : Precision::f8;
    if (options.precision.value_or(own) == Precision::f4)
        set.rows = read_rows<float>(file, h, options.part);
    else set.rows = read_rows<double>(file, h, options.part);
    if (!chosen.empty())
        std::visit([&](auto& rows) { rows = chosen_of(rows, h.columns(), chosen); }, set.rows);
    return set;
}

std::vector<double> read_npy_column(std::filesystem::path const& path, std::int64_t column) {
    InputFile file(path);
    NpyHeader const h = read_npy_header(file);
    auto const columns = std::int64_t(h.columns());
    if (column < -columns || column >= columns)
        throw InputError(
            fmt::format("{} has shape {}; there is no column {}", file.name(), h.shape_text(), column));
    std::uint64_t const rows = h.rows(), width = h.columns();
    std::uint64_t const wanted = std::uint64_t(column < 0 ? column + columns : column);
    std::vector<double> out(rows);
    bool const known = for_each_number(file, h, {0, rows * width}, [&](std::uint64_t i, auto v) {
        std::uint64_t const row = h.fortran ? i % rows : i / width;
        std::uint64_t const col = h.fortran ? i / rows : i % width;
        if (col == wanted) out[row] = double(v);
    });
    if (!known)
        throw InputError(fmt::format("{} holds {}; values must be float32, float64 or integers",
                                     file.name(), h.dtype()));
    return out;
}

template <class T>
NpyWriter<T>::NpyWriter(std::filesystem::path const& path, std::vector<std::uint64_t> const& shape)
    : out_(path), left_(1) {
    for (auto n : shape) left_ *= n;
    std::string const text = npy_header_of<T>(shape);
    out_.write(text.data(), text.size());
}

template <class T>
void NpyWriter<T>::append(std::span<T const> values) {
    if (values.size() > left_) throw Error("internal: more values than the shape of the array");
    left_ -= values.size();
    out_.write(values.data(), values.size_bytes());
}

template <class T>
void NpyWriter<T>::close() {
    if (left_ != 0) throw Error("internal: fewer values than the shape of the array");
    out_.close();
}

void write_npy_indices(std::filesystem::path const& path, std::span<pos_t const> values) {
    NpyWriter<std::int64_t> writer(path, {values.size()});
    std::vector<std::int64_t> part;
    for (std::size_t begin = 0; begin < values.size(); begin += part.size()) {
        auto const some = values.subspan(begin, std::min(values.size() - begin, chunk_elements));
        part.assign(some.begin(), some.end());
        writer.append(part);
    }
    writer.close();
}

template class NpyWriter<float>;
template class NpyWriter<double>;
template class NpyWriter<std::int64_t>;
template class NpyWriter<std::uint8_t>;

}  // namespace zwalk::io
