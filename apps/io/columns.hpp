// Which columns of a file are coordinates.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace zwalk::io {

/// Some columns of a file, in the order in which they are named. None: all of them.
class Columns {
  public:
    /// A column by its name, or a range of columns by their places, from 1 on.
    struct Item {
        std::string name;
        std::size_t first = 0, last = 0;  ///< 0: it has a name
    };

    Columns() = default;
    /// From names and places that are separated by commas: "x,y,z", "1-3", "4,1".
    /// @throws InputError  naming `option`
    Columns(std::string const& option, std::string const& text);

    [[nodiscard]] bool all() const { return items_.empty(); }
    [[nodiscard]] std::vector<Item> const& items() const { return items_; }
    /// Whether one of them has a name.
    [[nodiscard]] bool named() const;

    /// All of their names; empty: some have none.
    [[nodiscard]] std::vector<std::string> names() const;

    /// Their indices among `count` columns, from 0 on.
    /// @param names  of these; empty: they have none
    /// @param where  for messages: the file
    /// @throws InputError  there is no such column, or one is chosen twice
    [[nodiscard]] std::vector<std::size_t> among(std::size_t count,
                                                 std::vector<std::string> const& names,
                                                 std::string const& where) const;

  private:
    std::vector<Item> items_;
};

/// "'x', 'y', 'z'", and no more than a dozen of them.
std::string listed(std::vector<std::string> const& names);

}  // namespace zwalk::io
