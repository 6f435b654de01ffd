// Models in files: what is read predicts as what was written; what isn't whole is refused.
#include <doctest/doctest.h>

#include <sstream>

#include "support/brute_knn.hpp"
#include "support/points.hpp"
#include "support/temporary.hpp"
#include "zwalk/core/error.hpp"
#include "zwalk/hdbscan/membership.hpp"

using namespace test;

namespace {

template <class T>
std::string bytes_of(HdbscanModel<T> const& model) {
    std::ostringstream out;
    model.write(out);
    return std::move(out).str();
}
template <class T>
HdbscanModel<T> from(std::string const& bytes) {
    std::istringstream in(bytes);
    return HdbscanModel<T>::read(in);
}

}  // namespace

TEST_CASE_TEMPLATE("model files: what is read predicts as what was written", T, float, double) {
    for (std::size_t const n : {0, 1, 2, 9, 400})
        for (bool const in_box : {false, true}) {
            CAPTURE(n);
            CAPTURE(in_box);
            HdbscanOptions o{.min_cluster_size = 4};
            if (in_box) o.box = {1};
            auto const rows = make_points<3, T>("uniform", n, 1);
            auto const queries = make_points<3, T>("uniform", 50, 2);
            HdbscanModel<T> const model(view<3>(rows), hdbscan(rows, o), o);
            auto const again = from<T>(bytes_of(model));
            CHECK(again.size() == n);
            CHECK(again.clusters() == model.clusters());
            CHECK(again.index().box() == model.index().box());
            auto const a = predict(model, queries), b = predict(again, queries);
            CHECK(listed(a.labels) == listed(b.labels));
            CHECK(listed(a.probabilities) == listed(b.probabilities));
            CHECK(listed(a.outlier_scores) == listed(b.outlier_scores));
            CHECK(listed(a.neighbours) == listed(b.neighbours));
            CHECK(listed(a.distances) == listed(b.distances));
            CHECK(listed(membership_vectors(model, queries)) ==
                  listed(membership_vectors(again, queries)));
            CHECK(bytes_of(again) == bytes_of(model));
        }
}

TEST_CASE("model files: any changed or missing byte is refused") {
    HdbscanOptions const o{.min_cluster_size = 3, .select = {.allow_single_cluster = true}};
    auto const rows = make_points<2, float>("clustered", 40, 1);
    HdbscanModel<float> const model(view<2>(rows), hdbscan(rows, o), o);
    auto const bytes = bytes_of(model);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        CAPTURE(i);
        auto changed = bytes;
        changed[i] = char(changed[i] ^ 0x10);
        CHECK_THROWS_AS((void)from<float>(changed), InputError);
        CHECK_THROWS_AS((void)from<float>(bytes.substr(0, i)), InputError);
    }
    CHECK_THROWS_AS((void)from<float>(bytes + "x"), InputError);
    CHECK_THROWS_WITH_AS((void)from<double>(bytes),
                         "the model file holds float32 coordinates, not float64", InputError);
    std::ostringstream index;
    model.index().write(index);
    CHECK_THROWS_WITH_AS((void)from<float>(index.str()),
                         "this is no model file: it doesn't begin with 'zwalkhdb'", InputError);
}

TEST_CASE("model files: by name") {
    zwalk::tests::TemporaryDirectory const folder;
    auto const path = folder / "model";
    auto const rows = make_points<3, double>("uniform", 100, 1);
    HdbscanOptions const o{.min_cluster_size = 5};
    HdbscanModel<double>(view<3>(rows), hdbscan(rows, o), o).save(path);
    CHECK(model_item_bytes(path) == 8);
    CHECK(HdbscanModel<double>::load(path).size() == 100);
    CHECK_THROWS_AS((void)HdbscanModel<double>::load("there/is/none"), InputError);
}
