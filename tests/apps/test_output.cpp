// Outputs appear whole or not at all.
#include <doctest/doctest.h>

#include "io/output.hpp"
#include "support/temporary.hpp"
#include "zwalk/core/error.hpp"

using namespace zwalk;
namespace fs = std::filesystem;
using tests::content_of;
using tests::TemporaryDirectory;

namespace {
void write(fs::path const& path, std::string const& text) {
    io::Writer out(path);
    out.write(text);
    out.close();
}
}  // namespace

TEST_CASE("an output directory appears when it is committed") {
    TemporaryDirectory const dir;
    {
        io::OutputDirectory out(dir / "new/", false);
        write(out.file("a"), "1");
        CHECK_FALSE(fs::exists(dir / "new"));
        CHECK(out.is_parent_of(dir / "new/x.json"));
        CHECK_FALSE(out.is_parent_of(dir / "x.json"));
        out.commit();
    }
    CHECK(content_of(dir / "new/a") == "1");
    CHECK(dir.entries() == 1);
}

TEST_CASE("without a commit nothing stays") {
    TemporaryDirectory const dir;
    {
        io::OutputDirectory out(dir / "new", false);
        write(out.file("a"), "1");
        io::OutputFile file(dir / "f", false);
        write(file.path(), "2");
    }
    CHECK(dir.entries() == 0);
}

TEST_CASE("a directory that exists keeps its other files") {
    TemporaryDirectory const dir;
    fs::create_directory(dir / "old");
    {
        io::OutputDirectory out(dir / "old", false);  // empty: no force needed
        write(out.file("a"), "1");
        out.commit();
    }
    CHECK_THROWS_AS(io::OutputDirectory(dir / "old", false), InputError);
    write(dir / "old/other", "mine");
    {
        io::OutputDirectory out(dir / "old", true);
        write(out.file("a"), "2");
        CHECK(content_of(dir / "old/a") == "1");
        out.commit();
    }
    CHECK(content_of(dir / "old/a") == "2");
    CHECK(content_of(dir / "old/other") == "mine");
    CHECK(std::distance(fs::directory_iterator(dir / "old"), {}) == 2);
}

TEST_CASE("a file is replaced only by force, and links stay links") {
    TemporaryDirectory const dir;
    write(dir / "f", "1");
    CHECK_THROWS_AS(io::OutputFile(dir / "f", false), InputError);
    CHECK_THROWS_AS(io::OutputFile("/dev/null", true), InputError);
    CHECK_THROWS_AS(io::OutputDirectory(dir / "f", true), InputError);
    CHECK_THROWS_AS(io::OutputDirectory(dir / "no/where", false), Error);
    CHECK_THROWS_AS(io::OutputFile(dir / "no/where", false), Error);
    fs::create_symlink("f", dir / "link");
    {
        io::OutputFile out(dir / "link", true);
        write(out.path(), "2");
        out.commit();
    }
    CHECK(content_of(dir / "f") == "2");
    CHECK(fs::is_symlink(dir / "link"));
    CHECK(dir.entries() == 2);
}

TEST_CASE("several write parts of one file") {
    TemporaryDirectory const dir;
    io::SizedFile::create(dir / "f", "head", 9);
    {
        io::SizedFile back(dir / "f", 9), front(dir / "f", 9);
        back.write(7, "89", 2);
        front.write(4, "567", 3);
        back.close();
        front.close();
    }
    CHECK(content_of(dir / "f") == "head56789");
    CHECK_THROWS_AS(io::SizedFile(dir / "f", 8), Error);
    CHECK_THROWS_AS(io::SizedFile(dir / "g", 8), Error);
    CHECK_THROWS_AS(io::SizedFile::create(dir / "no/where", "", 1), Error);
}

TEST_CASE("a full disk is an error") {
    if (!fs::exists("/dev/full")) return;
    io::Writer out("/dev/full");
    CHECK_THROWS_WITH(out.write("x"), "cannot write '/dev/full': No space left on device");
}
