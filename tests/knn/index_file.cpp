// An index in a file: the same answers after a round trip, and no trust in what isn't whole.
#include <sstream>

#include "knn/check.hpp"
#include "support/temporary.hpp"

using namespace test;

namespace {

template <class T>
std::string bytes_of(Index<T> const& index) {
    std::ostringstream out;
    index.write(out);
    return out.str();
}

template <class T>
Index<T> index_from(std::string const& bytes) {
    std::istringstream in(bytes);
    return Index<T>::read(in);
}

template <int D, class T>
void round_trip(std::string const& kind, std::size_t n, std::vector<double> const& box) {
    auto const sources = box.empty() ? make_points<D, T>(kind, n, 1) : in_box<D, T>(kind, n, 1, 1);
    auto const queries = in_box<D, T>("uniform", 400, 1, 2);
    Index<T> const index(view<D>(sources), {.box = box, .tree = {.leaf_size = 9}});
    auto const read = index_from<T>(bytes_of(index));
    KnnOptions const others{.k = 5, .exclude_self = true};
    CHECK(same_bits(knn(read, others), knn(index, others)));
    CHECK(same_bits(knn(read, view<D>(queries), {.k = 5}), knn(index, view<D>(queries), {.k = 5})));
    CHECK(same_bits(knn(read, Points(queries[0].data(), 20, D), {.k = 5}),
                    knn(index, Points(queries[0].data(), 20, D), {.k = 5})));
    CHECK(read.size() == n);
    CHECK(read.dim() == D);
    CHECK(read.box() == index.box());
    CHECK(bytes_of(read) == bytes_of(index));
}

}  // namespace

TEST_CASE("index file: a round trip changes nothing") {
    for (auto const& kind : plain_kinds()) {  // others: run/units.cpp
        CAPTURE(kind);
        round_trip<3, float>(kind, 3000, {});
        round_trip<2, double>(kind, 500, {});
    }
    round_trip<3, float>("clustered", 2000, {1});
    round_trip<3, double>("uniform", 2000, {1, 0, 2});
    round_trip<7, float>("uniform", 300, {});
    round_trip<1, double>("uniform", 300, {1});
    for (std::size_t n : {0, 1, 2, 48, 49}) round_trip<3, float>("uniform", n, {});
}

TEST_CASE("index file: on disk") {
    zwalk::tests::TemporaryDirectory const dir;
    auto const sources = make_points<3, float>("clustered", 2000, 1);
    Index const index(sources);
    index.save(dir / "i.zwx");
    index.save(dir / "i.zwx");  // replaces it
    CHECK(dir.entries() == 1);
    CHECK(same_bits(knn(Index<float>::load(dir / "i.zwx", Cpu(2)), {.k = 6}), knn(index, {.k = 6})));
    CHECK_THROWS_AS(index.save(dir / "no" / "i.zwx"), Error);
    CHECK_THROWS_WITH_AS(Index<float>::load(dir / "no"), doctest::Contains("No such file"), InputError);
    CHECK_THROWS_WITH_AS(Index<double>::load(dir / "i.zwx"), doctest::Contains("float32"), InputError);
    dir.file("text", "These bytes are no index, and not even a tree.");
    CHECK_THROWS_WITH_AS(Index<float>::load(dir / "text"), doctest::Contains("no tree file"),
                         InputError);
    CHECK(dir.entries() == 2);
}

TEST_CASE("index file: every changed byte and every missing end is noticed") {
    for (std::size_t n : {0, 1, 20}) {
        Index<float> const index(view<2>(make_points<2, float>("uniform", n, 3)),
                                 {.box = {1}, .tree = {.leaf_size = 3, .top_nodes = 1}});
        std::string const whole = bytes_of(index);
        CHECK_NOTHROW((void)index_from<float>(whole));
        CHECK_THROWS_AS((void)index_from<float>(whole + "x"), InputError);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            CAPTURE(i);
            CHECK_THROWS_AS((void)index_from<float>(whole.substr(0, i)), InputError);
            for (int const change : {1, 0x80, 0xff}) {
                std::string broken = whole;
                broken[i] = char(broken[i] ^ change);
                CHECK_THROWS_AS((void)index_from<float>(broken), InputError);
            }
        }
    }
}
