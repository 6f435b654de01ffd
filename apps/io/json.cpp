#include "json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace zwalk::io {

std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += {'\\', c};
        else if (static_cast<unsigned char>(c) < 0x20) out += fmt::format("\\u{:04x}", int(c));
        else out += c;
    }
    return out + '"';
}

JsonObject& JsonObject::add_raw(std::string_view key, std::string_view value) {
    members_ += fmt::format("{}\n  {}: ", members_.empty() ? "" : ",", json_string(key));
    for (char c : value) {
        members_ += c;
        if (c == '\n') members_ += "  ";  // an object inside this one (strings have no line ends)
    }
    return *this;
}

JsonObject& JsonObject::add(std::string_view key, double value) {
    return add_raw(key, std::isfinite(value) ? fmt::format("{}", value) : "null");
}
JsonObject& JsonObject::add(std::string_view key, std::uint64_t value) {
    return add_raw(key, std::to_string(value));
}
JsonObject& JsonObject::add(std::string_view key, std::string_view value) {
    return add_raw(key, json_string(value));
}
JsonObject& JsonObject::add(std::string_view key, JsonObject const& value) {
    return add_raw(key, value.text());
}

std::string JsonObject::text() const { return members_.empty() ? "{}" : "{" + members_ + "\n}"; }

}  // namespace zwalk::io
