// Files that appear whole or not at all.
#include "zwalk/core/whole_file.hpp"

#include <doctest/doctest.h>

#include <ostream>

#include "support/temporary.hpp"
#include "zwalk/core/error.hpp"

using namespace zwalk;
using zwalk::tests::content_of;

TEST_CASE("whole file: appears when it is written, and replaces") {
    tests::TemporaryDirectory const dir;
    for (auto const* text : {"first", "second"}) {
        write_whole_file(dir / "f", [&](std::ostream& out) {
            out << text;
            CHECK(dir.entries() == (text == std::string("first") ? 1 : 2));
        });
        CHECK(content_of(dir / "f") == text);
        CHECK(dir.entries() == 1);
    }
}

TEST_CASE("whole file: failures leave what was there") {
    tests::TemporaryDirectory const dir;
    dir.file("f", "old");
    CHECK_THROWS_AS(write_whole_file(dir / "f",
                                     [](std::ostream& out) {
                                         out << "new";
                                         throw Error("no more");
                                     }),
                    Error);
    CHECK_THROWS_AS(
        write_whole_file(dir / "f", [](std::ostream& out) { out.setstate(std::ios::badbit); }), Error);
    CHECK(content_of(dir / "f") == "old");
    CHECK_THROWS_WITH_AS(write_whole_file(dir / "no" / "f", [](std::ostream&) {}),
                         doctest::Contains("No such file"), Error);
    std::filesystem::create_directory(dir / "d");
    CHECK_THROWS_AS(write_whole_file(dir / "d", [](std::ostream&) {}), Error);
    CHECK(dir.entries() == 2);
}
