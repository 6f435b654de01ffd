// Reading and writing points.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/csv.hpp"
#include "io/file.hpp"
#include "io/json.hpp"
#include "io/npy.hpp"
#include "io/points.hpp"
#include "reading.hpp"
#include "support/temporary.hpp"
#include "zwalk/core/error.hpp"

using namespace zwalk;
using tests::content_of;
using tests::error_of;
using tests::rows_of;
using tests::says;
using tests::TemporaryDirectory;

namespace {

/// A .npy file as text: version, header, numbers.
std::string npy(std::string const& dict, std::string const& data, int version = 1) {
    std::string s = "\x93NUMPY";
    s += {char(version), '\0', char(dict.size() & 255), char(dict.size() >> 8)};
    if (version > 1) s += {'\0', '\0'};
    return s + dict + data;
}

template <class T>
std::string bytes(std::vector<T> const& v, bool swap = false) {
    std::string s;
    for (T x : v) {
        char b[sizeof(T)];
        std::memcpy(b, &x, sizeof(T));
        if (swap) std::reverse(b, b + sizeof(T));
        s.append(b, sizeof(T));
    }
    return s;
}

std::string dict(std::string const& descr, std::string const& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }          \n";
}

}  // namespace

TEST_CASE("npy: every layout gives the same rows") {
    TemporaryDirectory const dir;
    std::vector<double> const v = {1, 2, 3, 4, 5, 6}, columns = {1, 3, 5, 2, 4, 6};
    for (int version : {1, 2, 3}) {
        CAPTURE(version);
        auto const read = [&](std::string const& d, std::string const& data) {
            return rows_of<double>(io::read_points(dir.file("a.npy", npy(d, data, version))));
        };
        CHECK(read(dict("<f8", "(3, 2)"), bytes(v)) == v);
        CHECK(read(dict(">f8", "(3, 2)"), bytes(v, true)) == v);
        CHECK(read(dict("<f8", "(3, 2)", true), bytes(columns)) == v);
        CHECK(read(dict(">f8", "(3, 2)", true), bytes(columns, true)) == v);
        CHECK(read(dict("=f8", "(6,)"), bytes(v)) == v);
    }
    auto const single = io::read_points(
        dir.file("b.npy", npy(dict("<f4", "(2, 3)"), bytes(std::vector<float>{1, 2, 3, 4, 5, 6}))));
    CHECK(single.dim == 3);
    CHECK(single.size == 2);
    CHECK(single.precision() == io::Precision::f4);
    auto const converted = io::read_points(dir / "b.npy", {.precision = io::Precision::f8});
    CHECK(rows_of<double>(converted) == v);
}

TEST_CASE("npy: what is wrong is refused, and named") {
    TemporaryDirectory const dir;
    std::vector<double> const v = {1, 2, 3, 4};
    auto const error = [&](std::string const& d, std::string const& data) {
        return error_of(dir.file("a.npy", npy(d, data)));
    };
    CHECK(error(dict("<f8", "(2, 2)"), bytes(v)).empty());
    CHECK(says(error(dict("<i8", "(2, 2)"), bytes(v)), "int64"));
    CHECK(says(error(dict("<f2", "(8, 2)"), bytes(v)), "float16"));
    CHECK(says(error(dict("|O", "(2, 2)"), bytes(v)), "'|O'"));
    CHECK(says(error("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,), }", ""),
               "records"));
    CHECK(says(error(dict("<f8", "(2, 3)"), bytes(v)), "truncated"));
    CHECK(says(error(dict("<f8", "(1, 2)"), bytes(v)), "16 bytes behind"));
    CHECK(says(error(dict("<f8", "(4611686018427387904, 4)"), bytes(v)), "truncated"));
    CHECK(says(error(dict("<f8", "(99999999999999999999, 4)"), bytes(v)), "too large"));
    CHECK(says(error(dict("<f8", "(1, 2, 2)"), bytes(v)), "(1, 2, 2)"));
    CHECK(says(error(dict("<f8", "()"), bytes(v)), "shape ()"));
    CHECK(says(error(dict("<f8", "(4, 0)"), ""), "1 to 64"));
    CHECK(says(error(dict("<f8", "(0, 65)"), ""), "1 to 64"));
    CHECK(says(error("{'descr': '<f8'}", bytes(v)), "incomplete"));
    CHECK(says(error("junk", bytes(v)), "damaged"));
    CHECK(says(error_of(dir.file("a.npy", "not a npy file at all")), "no .npy file"));
    CHECK(says(error_of(dir.file("a.npy", "")), "empty"));
    CHECK(says(error_of(dir / "missing.npy"), "No such file"));
    CHECK(says(error_of(dir.file("a.bin", "1 2")), "unknown format"));
}

TEST_CASE("npy: a whole file cut anywhere is an error, never a crash") {
    TemporaryDirectory const dir;
    std::string const whole = npy(dict("<f4", "(2, 2)"), std::string(16, '\1'));
    for (std::size_t n = 0; n < whole.size(); ++n)
        CHECK(!error_of(dir.file("a.npy", whole.substr(0, n))).empty());
}

TEST_CASE("npy: written files are read back") {
    TemporaryDirectory const dir;
    std::vector<float> const v = {1, 2, 3, 4, 5, 6};
    io::NpyWriter<float> writer(dir / "a.npy", {3, 2});
    writer.append(std::span(v).first(2));
    writer.append(std::span(v).subspan(2));
    CHECK_THROWS_AS(writer.append(std::span(v).first(1)), Error);
    writer.close();
    auto const set = io::read_points(dir / "a.npy");
    CHECK(set.dim == 2);
    CHECK(rows_of<float>(set) == v);
    CHECK(content_of(dir / "a.npy").find('\n') % 64 == 63);

    std::vector<std::int64_t> const whole = {-1, 7, 3, 4};
    io::write_npy<std::int64_t>(dir / "i.npy", {2, 2}, whole);
    CHECK(io::read_npy_column(dir / "i.npy", -1) == std::vector<double>{7, 4});
    CHECK(io::read_npy_column(dir / "i.npy", 0) == std::vector<double>{-1, 3});
    CHECK_THROWS_AS(io::read_npy_column(dir / "i.npy", 2), InputError);
}

TEST_CASE("csv: separators, header, comments, line ends") {
    TemporaryDirectory const dir;
    std::vector<double> const v = {1, 2.5, -3e2, 4};
    for (std::string const text :
         {"1,2.5\n-3e2,4\n", "1 2.5\n -3e2\t 4 ", "1; 2.5\r\n-3e2 ;+4\r\n", "x,y\n1,2.5\n-3e2,4",
          "# made by hand\n\nx y\n1 2.5 # first\n-3e2 4\n",
          "\xef\xbb\xbf"
          "1,2.5\n-3e2,4\n"}) {
        CAPTURE(text);
        auto const set = io::read_points(dir.file("a.csv", text));
        CHECK(set.dim == 2);
        CHECK(rows_of<double>(set) == v);
    }
    CHECK(rows_of<double>(io::read_points(dir.file("a.txt", "1\n2.5\n-300\n4"))) == v);
}

TEST_CASE("csv: numbers are rounded once") {
    TemporaryDirectory const dir;
    // Halfway between two floats plus a bit that a double cannot hold.
    std::string const text = "1.00000005960464477540 0.1 1e-400 5e-324\n";
    auto const f8 = rows_of<double>(io::read_points(dir.file("a.csv", text)));
    CHECK(f8[1] == 0.1);
    CHECK(f8[2] == 0);
    CHECK(f8[3] == 5e-324);
    auto const f4 = rows_of<float>(io::read_points(dir / "a.csv", {.precision = io::Precision::f4}));
    CHECK(f4[0] == std::nextafter(1.F, 2.F));
    CHECK(f4[1] == 0.1F);
}

TEST_CASE("parts of rows, side by side, are all rows") {
    TemporaryDirectory const dir;
    std::vector<double> const v = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                              columns = {1, 3, 5, 7, 9, 2, 4, 6, 8, 10};
    std::vector<float> const single(v.begin(), v.end());
    for (auto const& file : {dir.file("c.npy", npy(dict("<f8", "(5, 2)"), bytes(v))),
                             dir.file("s.npy", npy(dict(">f8", "(5, 2)"), bytes(v, true))),
                             dir.file("f.npy", npy(dict("<f8", "(5, 2)", true), bytes(columns))),
                             dir.file("4.npy", npy(dict("<f4", "(5, 2)"), bytes(single))),
                             dir.file("t.csv", "x,y\n1,2\n3,4\n5,6\n7,8\n9,10\n")})
        for (std::uint64_t count : {1, 2, 3, 5, 8}) {
            CAPTURE(file);
            CAPTURE(count);
            std::vector<double> all;
            for (std::uint64_t i = 0; i < count; ++i) {
                auto const set =
                    io::read_points(file, {.precision = io::Precision::f8, .part = {i, count}});
                CHECK(set.total == 5);
                CHECK(set.size == 5 * (i + 1) / count - 5 * i / count);
                auto const rows = rows_of<double>(set);
                all.insert(all.end(), rows.begin(), rows.end());
            }
            CHECK(all == v);
        }
    io::Part const last{6, 7};
    CHECK(last.end(UINT64_MAX) == UINT64_MAX);
    CHECK(last.begin(UINT64_MAX) == UINT64_MAX / 7 * 6 + 6 * (UINT64_MAX % 7) / 7);
}

TEST_CASE("csv: errors name line and column") {
    TemporaryDirectory const dir;
    auto const error = [&](std::string const& text, std::optional<io::Precision> p = {}) {
        return error_of(dir.file("a.csv", text), {.precision = p});
    };
    CHECK(says(error("1,2\n3,x\n"), "line 2, column 2: 'x' is not a number"));
    CHECK(says(error("# c\n\n1,2\n3\n"), "line 4: 1 numbers, but 2"));
    CHECK(says(error("1,2\n3,\n"), "line 2, column 2: the field is empty"));
    CHECK(says(error("1,b\n3,4\n"), "line 1, column 2"));
    CHECK(says(error("1,1e400\n"), "too large for float64"));
    CHECK(says(error("1,1e300\n", io::Precision::f4), "too large for float32"));
    CHECK(says(error("1,2 3\n"), "column 2"));
    CHECK(says(error("x,y\n"), "no numbers"));
    CHECK(says(error(std::string(200, ',')), "line 1, column 1"));
}

namespace {

/// The rows of all slices, side by side, as ranks read them; or what the error of the first of them says.
std::string slices_of(std::filesystem::path const& path, std::uint64_t count, std::vector<double>& all) {
    std::uint64_t lines = 0;
    all.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const slice = io::read_text_slice(path, {i, count});
        try {
            auto const rows = rows_of<double>(io::rows_of(slice, lines, {}));
            all.insert(all.end(), rows.begin(), rows.end());
        } catch (InputError const& e) {
            return e.what();
        }
        lines += slice.lines;
    }
    return "";
}

}  // namespace

TEST_CASE("csv: slices have all lines, wherever they are cut") {
    TemporaryDirectory const dir;
    std::string const long_comment = "#" + std::string(200000, ',') + "\n";
    std::string many = "x;y\n";
    for (int i = 0; i < 30000; ++i)
        many += std::to_string(i) + " ; " + std::to_string(i % 7) + "e-1\r\n";
    for (std::string const& text :
         {std::string("1,2.5\n-3e2,4\n"), std::string("1,2.5\n-3e2,4"), std::string("1 2"),
          std::string("# made by hand\n\nx y # names\n1 2.5 # first\n\n\n  \n#\n-3e2 4\n#no more\n\n"),
          std::string("\xef\xbb\xbf"
                      "a,b\n1,2.5\n-3e2,4\n"),
          std::string("\xef\xbb\xbf"
                      "7"),
          std::string("\n\n\n1\n2\n"), std::string("1\n" + std::string(50, '\n') + "2"),
          "1,2\n" + long_comment + "3,4", long_comment + "x,y\n" + long_comment + "3,4\n", many,
          // Wrong, and nowhere else than in the whole.
          std::string("1,2\n3,x\n5,6\n7,y\n"), std::string("# c\n\n1,2\n3\n4\n"),
          std::string("1,2\n\n3,\n"), std::string("1,2\n\nx,y\n3,4\n"), std::string("a\nb\n"),
          std::string("x,y\n"), std::string("#\n\n"), std::string("1;2\n3,4\n5;6\n"),
          many + "1;2;3\n" + many}) {
        CAPTURE(text.substr(0, 60));
        auto const file = dir.file("a.csv", text);
        std::string const error = error_of(file);
        std::vector<double> expected, found;
        if (error.empty()) expected = rows_of<double>(io::read_points(file));
        for (std::uint64_t const count : {1, 2, 3, 4, 5, 7, 16, 40, 100}) {
            CAPTURE(count);
            CHECK(slices_of(file, count, found) == error);
            if (error.empty()) CHECK(found == expected);
        }
    }
}

TEST_CASE("json: escapes and nesting") {
    CHECK(io::json_string("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\u000a\\u0001\"");
    io::JsonObject inner, outer;
    inner.add("n", std::uint64_t(3)).add("x", NAN);
    outer.add("inner", inner).add("empty", io::JsonObject()).add("s", "t");
    CHECK(outer.text() ==
          "{\n  \"inner\": {\n    \"n\": 3,\n    \"x\": null\n  },\n  \"empty\": {},\n  \"s\": "
          "\"t\"\n}");
}
