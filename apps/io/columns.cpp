#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "file.hpp"
#include "points.hpp"
#include "zwalk/core/error.hpp"

namespace zwalk::io {
namespace {

/// All of the text as a whole number; 0: it is none, or 0, or too large for a column.
std::size_t place_of(std::string_view text) {
    std::size_t n = 0;
    auto const r = std::from_chars(text.data(), text.data() + text.size(), n);
    return r.ec == std::errc() && r.ptr == text.data() + text.size() && n < (1U << 30) ? n : 0;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace

Columns::Columns(std::string const& option, std::string const& text) {
    auto const need = [&](bool ok) {
        if (!ok)
            throw InputError(
                fmt::format("{} takes names of columns, or their numbers from 1 on, as in x,y,z or 1-3 "
                            "or 1,4, not '{}'",
                            option, escaped(text)));
    };
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find(',', at), text.size());
        std::string const item = text.substr(at, end - at);
        at = end + 1;
        need(!item.empty());
        auto const dash = item.find('-');
        bool const range =
            dash != item.npos && is_number(item.substr(0, dash)) && is_number(item.substr(dash + 1));
        if (!range && !is_number(item)) {
            items_.push_back({item});
            continue;
        }
        std::size_t const first = place_of(item.substr(0, dash)),
                          last = range ? place_of(item.substr(dash + 1)) : first;
        need(first >= 1 && first <= last);
        items_.push_back({"", first, last});
    }
}

bool Columns::named() const {
    return std::any_of(items_.begin(), items_.end(), [](Item const& i) { return i.first == 0; });
}

std::vector<std::string> Columns::names() const {
    std::vector<std::string> all;
    for (Item const& item : items_) {
        if (item.first > 0) return {};
        all.push_back(item.name);
    }
    return all;
}

std::vector<std::size_t> Columns::among(std::size_t count, std::vector<std::string> const& names,
                                        std::string const& where) const {
    std::vector<std::size_t> chosen;
    auto const add = [&](std::size_t column, std::string const& item) {
        if (std::find(chosen.begin(), chosen.end(), column) != chosen.end())
            throw InputError(fmt::format("column {} of {} is asked for twice", item, where));
        chosen.push_back(column);
    };
    for (Item const& item : items_) {
        if (item.first == 0) {
            auto const at = std::find(names.begin(), names.end(), item.name);
            if (at == names.end())
                throw InputError(fmt::format("{} has no column '{}': {}", where, escaped(item.name),
                                             names.empty()
                                                 ? "its columns have no names, but numbers from 1 on"
                                                 : "it has " + listed(names)));
            if (std::find(at + 1, names.end(), item.name) != names.end())
                throw InputError(fmt::format("{} has several columns '{}'; give its number", where,
                                             escaped(item.name)));
            add(std::size_t(at - names.begin()), fmt::format("'{}'", escaped(item.name)));
            continue;
        }
        if (item.last > count)
            throw InputError(fmt::format("{} has {} column{}; there is no column {}", where, count,
                                         count == 1 ? "" : "s", item.last));
        for (std::size_t place = item.first; place <= item.last; ++place)
            add(place - 1, std::to_string(place));
    }
    if (chosen.size() > std::size_t(max_dim))
        throw InputError(fmt::format("{} columns are asked for; points have 1 to {} coordinates",
                                     chosen.size(), max_dim));
    return chosen;
}

std::string listed(std::vector<std::string> const& names) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += fmt::format("{}'{}'", i == 0 ? "" : ", ", escaped(names[i].substr(0, 40)));
    return names.size() > most ? text + ", ..." : text;
}

}  // namespace zwalk::io
