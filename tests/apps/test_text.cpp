// Texts as people have them: what becomes a coordinate, and what is said of it.
#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

#include "io/file.hpp"
#include "io/npy.hpp"
#include "io/points.hpp"
#include "io/real_text.hpp"
#include "reading.hpp"
#include "support/temporary.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/testing/points.hpp"

using namespace zwalk;
using tests::error_of;
using tests::rows_of;
using tests::says;
using tests::TemporaryDirectory;

namespace {

io::ReadOptions with_columns(char const* text) { return {.columns = {"--columns", text}}; }

/// All notes in one.
std::string notes_of(io::PointSet const& set) {
    std::string all;
    for (auto const& note : set.notes) all += note + "\n";
    return all;
}

}  // namespace

TEST_CASE("text: columns by name, number and range, in the order asked for") {
    TemporaryDirectory const dir;
    std::vector<double> const zx{3, 1, 6, 4};
    auto const read = [&](char const* text, char const* columns) {
        return rows_of<double>(io::read_points(dir.file("a.csv", text), with_columns(columns)));
    };
    CHECK(read("x,y,z\n1,2,3\n4,5,6\n", "z,x") == zx);
    CHECK(read("\"x\";\"y\";\"z\"\n1;2;3\n4;5;6\n", "z,x") == zx);
    CHECK(read("# x y z\n1 2 3\n4 5 6\n", "z,x") == zx);
    CHECK(read("# by hand\n# x y z\n1 2 3\n4 5 6\n", "z,1") == zx);
    CHECK(read("1 2 3\n4 5 6\n", "3,1") == zx);
    CHECK(read("9 3 1\n9 6 4\n", "2-3") == zx);
    // What isn't asked for needn't be a number.
    CHECK(read("name,z,x\na b,3,1\n,6,4\n", "z,x") == zx);
    CHECK(read(",z,x\n0,3,1\n1,6,4\n", "2-3") == zx);
    CHECK(read("\tz\tx\n0\t3\t1\n1\t6\t4\n", "z,x") == zx);  // white space before the names is lost

    dir.file("a.csv", "x,y,x\n1,2,3\n");
    CHECK(says(error_of(dir / "a.csv", with_columns("w")), "no column 'w': it has 'x', 'y', 'x'"));
    CHECK(says(error_of(dir / "a.csv", with_columns("x")), "several columns 'x'"));
    CHECK(says(error_of(dir / "a.csv", with_columns("2-4")), "3 columns; there is no column 4"));
    CHECK(says(error_of(dir / "a.csv", with_columns("y,1,2")), "column 2 of"));
    CHECK(says(error_of(dir.file("b.csv", "1,2\n"), with_columns("x")), "have no names"));
    CHECK(says(error_of(dir.file("b.csv", "1,2\n3\n"), with_columns("1")), "line 2: 1 columns, but 2"));
    CHECK(says(error_of(dir.file("b.csv", "1,2\na,4\n"), with_columns("1")), "line 2, column 1: 'a'"));
    for (char const* wrong : {",", "x,", "0", "3-1", "0-1", "99999999999999999999"})
        CHECK_THROWS_AS(with_columns(wrong), InputError);
}

TEST_CASE("text: lines that are no points, and columns that may be no coordinates, are noted") {
    TemporaryDirectory const dir;
    auto const read = [&](char const* text) { return io::read_points(dir.file("a.csv", text)); };
    auto const named = read("x,y\n1,2\n");
    CHECK(named.notes.empty());
    auto const counted = read("0,1\n.5,1\n3,4\n");
    CHECK(rows_of<double>(counted) == std::vector<double>{.5, 1, 3, 4});
    CHECK(says(notes_of(counted), "the first line, '0,1', is taken for the names"));
    auto const whole = read("0,1\n1,2\n");  // may be a point
    CHECK(rows_of<double>(whole) == std::vector<double>{0, 1, 1, 2});
    CHECK(says(notes_of(whole), "is taken for a point"));
    CHECK(read("0,1,3\n.5,1,2\n").notes.empty());
    CHECK(read("0\n.5\n").notes.empty());
    auto const index = read(",x,y\n0,.5,1\n1,3,4\n");
    CHECK(index.dim == 3);
    CHECK(says(notes_of(index), "(--columns 2-3 leaves it out)"));
    auto const both = read(",0,1\n0,3,1\n1,3,4\n");
    CHECK(rows_of<double>(both) == std::vector<double>{0, 3, 1, 1, 3, 4});
    CHECK(says(notes_of(both), "for the names"));
    CHECK(says(notes_of(both), "(--columns 2-3 leaves it out)"));
    CHECK(says(notes_of(read("x y Class id\n1 2 3 4\n")), "'Class', 'id' are coordinates"));
    auto const chosen = io::read_points(dir / "a.csv", with_columns("x,y"));
    CHECK(chosen.notes.empty());
    auto const cloud = io::read_points(dir.file("a.pts", "2\n1 2 3\n4 5 6\n"));
    CHECK(rows_of<double>(cloud) == std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(says(notes_of(cloud), "the number of rows"));
}

TEST_CASE("text: other names, line ends and encodings") {
    TemporaryDirectory const dir;
    std::vector<double> const v{1, 2, 3, 4};
    for (char const* name : {"a.tsv", "a.dat", "a.xyz", "a.asc", "a.pts", "a.TXT"})
        CHECK(rows_of<double>(io::read_points(dir.file(name, "1\t2\n3\t4\n"))) == v);
    for (std::string const text : {"x,y\r1,2\r\r3,4\r", "1 2\r# no\r3 4", "1,2\r\r\n3,4\n"})
        CHECK(rows_of<double>(io::read_points(dir.file("a.csv", text))) == v);
    CHECK(says(error_of(dir.file("a.csv", "1,2\r3,x\ry\r")), "line 2, column 2: 'x'"));
    std::string const wide("1\0,\0002\0\n\0", 8);
    CHECK(says(error_of(dir.file("a.csv", "\xff\xfe" + wide)), "is UTF-16 text"));
    CHECK(says(error_of(dir.file("a.csv", std::string("\xfe\xff\0", 3) + wide)), "is UTF-16 text"));
    CHECK(says(error_of(dir.file("a.csv", std::string("\xff\xfe\0\0", 4) + wide)), "is UTF-32 text"));
    CHECK(says(error_of(dir.file("a.csv", wide)), "has zero bytes"));
    // Text of the file in a message, as far as it can be shown.
    CHECK(says(error_of(dir.file("a.csv", "1,2\n3,\x1b[2J\n")), "'\\x1b[2J' is not a number"));
    CHECK(says(error_of(dir.file("a\r.csv", "1,x2\n")), "a\\r.csv'"));
    std::string const zero =
        "1,2\n1,2\n" + std::string(70000, '#') + "\n3,4" + std::string(1, '\0') + "5\n";
    CHECK(says(error_of(dir.file("a.csv", zero)), "'4\\x005' is not a number"));
    CHECK(io::escaped("a\tb\n\x7f\xc3\xa9") == "a\\tb\\n\\x7f\xc3\xa9");
}

TEST_CASE("npy: columns of arrays and of records") {
    TemporaryDirectory const dir;
    std::vector<double> const v{1, 2, 3, 4, 5, 6};
    io::write_npy<double>(dir / "a.npy", {2, 3}, v);
    CHECK(rows_of<double>(io::read_points(dir / "a.npy", with_columns("3,1"))) ==
          std::vector<double>{3, 1, 6, 4});
    CHECK(says(error_of(dir / "a.npy", with_columns("x")), "have no names"));
    CHECK(says(error_of(dir / "a.npy", with_columns("4")), "there is no column 4"));
    std::vector<double> const wide(140, 7.);
    io::write_npy<double>(dir / "w.npy", {2, 70}, wide);
    CHECK(says(error_of(dir / "w.npy"), "1 to 64"));
    CHECK(io::read_points(dir / "w.npy", with_columns("69-70")).dim == 2);

    std::string const head = io::npy_header_text(
        "[('i', '<i8'), ('p', '<f8', (2,)), ('', '|V4'), ('m', '>f4'), ('s', '<U1')]", {2});
    auto const record = [](std::int64_t i, double x, double y, char m) {
        std::string s(40, '\0');
        std::memcpy(s.data(), &i, 8);
        std::memcpy(s.data() + 8, &x, 8);
        std::memcpy(s.data() + 16, &y, 8);
        s.replace(28, 4, std::string{'\x40', m, '\0', '\0'});  // 2 and 4: exponents
        return s.substr(0, 36);
    };
    dir.file("r.npy", head + record(1, 2, 3, '\0') + record(4, 5, 6, '\x80'));
    CHECK(rows_of<double>(io::read_points(dir / "r.npy", with_columns("p_1,m,p_0"))) ==
          std::vector<double>{3, 2, 2, 6, 4, 5});
    CHECK(rows_of<double>(io::read_points(dir / "r.npy", with_columns("2-3"))) ==
          std::vector<double>{2, 3, 5, 6});
    for (char const* m : {"m", "4"})  // space between fields is no column
        CHECK(io::read_points(dir / "r.npy", with_columns(m)).precision() == io::Precision::f4);
    CHECK(says(error_of(dir / "r.npy", with_columns("i")), "'<i8'; points must be float"));
    CHECK(says(error_of(dir / "r.npy", with_columns("p")), "no column 'p': it has 'i', 'p_0'"));
    CHECK(says(error_of(dir / "r.npy"), "--columns names: 'i', 'p', 'm', 's'"));
    for (std::uint64_t count : {1, 2, 3}) {
        std::vector<double> all;
        for (std::uint64_t i = 0; i < count; ++i) {
            io::ReadOptions options = with_columns("2");
            options.part = {i, count};
            auto const some = rows_of<double>(io::read_points(dir / "r.npy", options));
            all.insert(all.end(), some.begin(), some.end());
        }
        CHECK(all == std::vector<double>{2, 5});
    }
    CHECK(
        says(error_of(dir.file("t.npy", head + record(1, 2, 3, '\0')), with_columns("2")), "truncated"));
}

#if ZWALK_REAL_FROM_CHARS
namespace {

/// That both ways read as much of a text, with the same bits and the same error.
template <class T>
void same_both_ways(std::string const& text) {
    T a = T(7), b = T(7);
    char const *const begin = text.data(), *const end = begin + text.size();
    auto const by_library = std::from_chars(begin, end, a);
    auto const by_strtod = io::real_by_strtod(begin, end, b);
    CAPTURE(text);
    CHECK(by_library.ec == by_strtod.ec);
    CHECK(by_library.ptr - begin == by_strtod.ptr - begin);
    CHECK(((std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0));
}

}  // namespace

TEST_CASE("text: numbers are the same without std::from_chars") {
    char const* const texts[] = {
        "",      "-",      "+1",     " 1",       "1 ",       "1.5,2",  ".",     "-.5",
        ".5e",   "1e",     "1e+",    "1e+3",     "1E-3",     "--1",    "0x10",  "-0x1",
        "-0",    "inf",    "-inf",   "INFINITY", "in",       "nan",    "-nan",  "nano",
        "1e400", "-1e40",  "1e-50",  "1e-310",   "4.9e-324", "1e-400", "1_000", "1.2.3.4",
        "1d5",   "0.1e-1", "000123", "e5",       "abc",      "1e-45",  "x",     "1.17549435e-38"};
    for (char const* text : texts) {
        same_both_ways<double>(text);
        same_both_ways<float>(text);
    }
    testing::Random r(7);
    char const letters[] = "0123456789.eE+-";
    for (int i = 0; i < 20000; ++i) {
        std::string text(1 + r.below(12), '0');
        for (char& c : text) c = letters[r.below(sizeof(letters) - 1)];
        same_both_ways<double>(text);
        same_both_ways<float>(text);
    }
}
#endif
