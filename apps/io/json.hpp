// Writing JSON: objects whose members keep their order.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace zwalk::io {

/// A quoted and escaped JSON string.
std::string json_string(std::string_view text);

/// A JSON object, built member by member.
class JsonObject {
  public:
    JsonObject& add(std::string_view key, double value);  ///< not finite: null
    JsonObject& add(std::string_view key, std::uint64_t value);
    JsonObject& add(std::string_view key, std::string_view value);
    JsonObject& add(std::string_view key, char const* value) {
        return add(key, std::string_view(value));
    }
    JsonObject& add(std::string_view key, JsonObject const& value);

    /// As text, indented for people to read.
    [[nodiscard]] std::string text() const;

  private:
    JsonObject& add_raw(std::string_view key, std::string_view value);
    std::string members_;
};

}  // namespace zwalk::io
