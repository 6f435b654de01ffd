// Which points a program measures: made ones, or those of a file; and in what space. Its options, in one place.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/points.hpp"
#include "support/points.hpp"
#include "zwalk/core/points.hpp"

namespace bench {

struct PointsOptions {
    std::optional<double> count;  ///< a real number, so that 1e6 can be said
    int dim = 3;
    std::string kind = "uniform", real = "float";
    std::filesystem::path file;
    std::vector<double> box;  ///< as in the options of an algorithm

    [[nodiscard]] bool from_file() const { return !file.empty(); }
    [[nodiscard]] std::size_t made() const { return std::size_t(count.value_or(1e6)); }
    [[nodiscard]] std::string name() const { return from_file() ? file.filename().string() : kind; }

    // In three steps, since arguments without a name come in the order of these calls.
    void add_count(CLI::App& app) {
        app.add_option("N,--points", count,
                       "points, e.g. 1e6; of a file rows from all its parts (default: all of them)")
            ->check(CLI::Range(1., 1e9));
    }
    void add_kind(CLI::App& app) {
        kind_ = app.add_option("kind,--kind", kind, "of points")->check(CLI::IsMember(test::kinds()));
    }
    /// @param open  the option with which only open space makes sense: other engines know no box
    void add_rest(CLI::App& app, CLI::Option* open) {
        auto* const columns = app.add_option("--dim", dim, "columns of points that are made")
                                  ->check(CLI::IsMember({2, 3}));
        app.add_option("--real", real)->check(CLI::IsMember({"float", "double"}));
        app.add_option("--file", file, "points of a .npy file, or of another one that zwalk reads")
            ->check(CLI::ExistingFile)
            ->excludes(kind_)
            ->excludes(columns);
        app.add_option("--box", box, "periodic box: L, or Lx,Ly,Lz with 0 for an open axis")
            ->allow_extra_args(false)
            ->delimiter(',')
            ->excludes(open);
    }

  private:
    CLI::Option* kind_ = nullptr;
};

/// The points that options name, in memory.
template <class T>
class BenchPoints {
  public:
    explicit BenchPoints(PointsOptions const& o) : rows_(rows_of(o)) {
        if (auto* const plane = std::get_if<test::Rows<2, T>>(&rows_)) points_ = zwalk::Points(*plane);
        else if (auto* const space = std::get_if<test::Rows<3, T>>(&rows_))
            points_ = zwalk::Points(*space);
        else points_ = picked(std::get<zwalk::io::PointSet>(rows_), o.count);
    }
    BenchPoints(BenchPoints const&) = delete;  // points_ looks into rows_
    BenchPoints& operator=(BenchPoints const&) = delete;
    ~BenchPoints() = default;

    zwalk::Points<T> operator*() const { return points_; }

  private:
    using Rows = std::variant<test::Rows<2, T>, test::Rows<3, T>, zwalk::io::PointSet>;

    static Rows rows_of(PointsOptions const& o) {
        using zwalk::io::Precision;
        if (o.from_file())
            return zwalk::io::read_points(o.file,
                                          {.precision = sizeof(T) == 4 ? Precision::f4 : Precision::f8});
        if (o.dim == 2) return test::make_points<2, T>(o.kind, o.made(), 1);
        return test::make_points<3, T>(o.kind, o.made(), 1);
    }
    /// Rows from all parts of the file, moved to its beginning: the first ones may all lie in one place.
    static zwalk::Points<T> picked(zwalk::io::PointSet& set, std::optional<double> count) {
        std::uint64_t const all = set.size, n = std::min(all, count ? std::uint64_t(*count) : all);
        auto const dim = std::size_t(set.dim);
        T* const x = std::get<zwalk::Buffer<T>>(set.rows).data();
        for (std::uint64_t i = 0; n < all && i < n; ++i)
            for (std::size_t j = 0; j < dim; ++j) x[i * dim + j] = x[i * all / n * dim + j];
        return {x, std::size_t(n), set.dim};
    }

    Rows rows_;
    zwalk::Points<T> points_;
};

}  // namespace bench
