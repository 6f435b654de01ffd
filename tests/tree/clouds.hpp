// Point sets of the tree tests: uniform and awkward ones.
#pragma once
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "zwalk/core/points.hpp"

namespace zwalk::test {

/// N rows of `dim` coordinates.
template <class T>
struct Cloud {
    std::string name;
    std::size_t dim;
    std::vector<T> x;

    [[nodiscard]] std::size_t size() const { return x.size() / dim; }
    [[nodiscard]] Points<T> points() const { return {x.data(), size(), int(dim)}; }
    [[nodiscard]] T const* row(std::size_t i) const { return &x[i * dim]; }
};

/// n * dim coordinates made by make(i, j).
template <class T, class Make>
Cloud<T> make_cloud(std::string name, std::size_t n, std::size_t dim, Make const& make) {
    Cloud<T> cloud{std::move(name), dim, {}};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < dim; ++j) cloud.x.push_back(T(make(i, j)));
    return cloud;
}

template <class T>
Cloud<T> uniform_cloud(std::mt19937_64& g, std::size_t n, std::size_t dim) {
    std::uniform_real_distribution<double> u(-.3, .7);
    return make_cloud<T>("uniform", n, dim, [&](auto, auto) { return u(g); });
}

template <class T>
Cloud<T> normal_cloud(std::mt19937_64& g, std::size_t n, std::size_t dim) {
    std::normal_distribution<double> normal;
    return make_cloud<T>("normal", n, dim, [&](auto, auto) { return normal(g); });
}

/// `copies` copies of each of n / copies sites.
template <class T>
Cloud<T> sites_cloud(std::mt19937_64& g, std::size_t n, std::size_t dim, std::size_t copies) {
    Cloud<T> const sites = uniform_cloud<T>(g, n / copies + 1, dim);
    return make_cloud<T>("sites x " + std::to_string(copies), n, dim,
                         [&](auto i, auto j) { return sites.row(i % (n / copies + 1))[j]; });
}

template <class T>
Cloud<T> cauchy_cloud(std::mt19937_64& g, std::size_t n, std::size_t dim) {
    std::cauchy_distribution<double> tails;
    return make_cloud<T>("cauchy", n, dim, [&](auto, auto) { return tails(g); });
}

/// All of them, with about n points each.
template <class T>
std::vector<Cloud<T>> all_clouds(std::mt19937_64& g, std::size_t n, std::size_t dim) {
    std::uniform_real_distribution<double> u(-1, 1);
    std::vector<Cloud<T>> all{uniform_cloud<T>(g, n, dim), normal_cloud<T>(g, n, dim),
                              cauchy_cloud<T>(g, n, dim)};
    for (std::size_t copies : {3U, 20U, 40U, 70U}) all.push_back(sites_cloud<T>(g, n, dim, copies));
    all.push_back(make_cloud<T>("equal", n, dim, [](auto, auto) { return .3; }));
    auto const side = std::size_t(std::round(std::pow(double(n), 1 / double(dim))));
    all.push_back(make_cloud<T>("grid", n, dim, [&](auto i, auto j) {
        for (; j > 0; --j) i /= side;
        return i % side;
    }));
    all.push_back(make_cloud<T>("signed zeros", n, dim, [&](auto, auto) {
        double const values[] = {0., -0., 1., -1.};
        return values[g() % 4];
    }));
    double t = 0;
    all.push_back(make_cloud<T>("line", n, dim, [&](auto, auto j) {
        if (j == 0) t = u(g);
        return t;
    }));
    std::vector<double> p(dim);
    all.push_back(make_cloud<T>("graded", n, dim, [&](auto, auto j) {
        if (j == 0)
            for (double& x : p) x = u(g);
        double r2 = 0;
        for (double const x : p) r2 += x * x;
        return r2 * p[j];
    }));
    auto outlier = uniform_cloud<T>(g, n, dim);
    outlier.name = "outlier";
    outlier.x[0] = T(1e15);
    all.push_back(outlier);
    all.push_back(make_cloud<T>("two clumps", n, dim, [&](auto i, auto) {
        return double(i % 2) + (sizeof(T) == 4 ? 1e-6 : 1e-12) * u(g);
    }));
    return all;
}

}  // namespace zwalk::test
