// Points of some number of columns, for programs that count what kernels execute.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "support/points.hpp"

namespace counted {

/// Whether two results are the same bytes.
template <class V>
bool same(V const& a, V const& b) {
    return a.size() == b.size() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

/// D columns of points of a kind, and zeros behind them.
template <class T, int D, int padded>
auto rows_of(char const* kind, std::size_t n) {
    auto const rows = test::make_points<D, T>(kind, n, 1);
    test::Rows<padded, T> wide(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(rows[i].begin(), D, wide[i].begin());
    return wide;
}

/// Status: 0 if is_right(rows, setting), 1 if not, 2 if there are no such columns.
template <class T, class Check>
int status_of(std::string_view columns, char const* kind, std::size_t n, int setting,
              Check const& is_right) {
    int status = 2;
    auto const check = [&]<int D, int padded>(std::string_view name) {
        if (columns == name) status = is_right(rows_of<T, D, padded>(kind, n), setting) ? 0 : 1;
    };
    check.template operator()<3, 3>("3");
    check.template operator()<4, 4>("4");
    check.template operator()<5, 5>("5");
    check.template operator()<6, 6>("6");
    check.template operator()<8, 8>("8");
    check.template operator()<4, 8>("4in8");
    check.template operator()<5, 8>("5in8");
    check.template operator()<6, 8>("6in8");
    return status;
}

/// The main function of a program whose words are KIND POINTS SETTING float|double [COLUMNS].
template <class Check>
int run(int count, char** words, char const* program, Check const& is_right) {
    int status = 2;
    if (count == 5 || count == 6) {
        std::string_view const type = words[4], columns = count == 6 ? words[5] : "3";
        auto const n = std::size_t(std::atof(words[2]));
        int const setting = std::atoi(words[3]);
        if (type == "float") status = status_of<float>(columns, words[1], n, setting, is_right);
        if (type == "double") status = status_of<double>(columns, words[1], n, setting, is_right);
    }
    if (status == 1) std::fputs("the result isn't that of threads\n", stderr);
    if (status == 2)
        std::fprintf(stderr, "usage: %s float|double [3|4|5|6|8|4in8|5in8|6in8]\n", program);
    return status;
}

}  // namespace counted
