// What nodes of the standard library's maps take, for estimates of memory.
#ifndef WEIR_SRC_BASE_NODE_BYTES_H_
#define WEIR_SRC_BASE_NODE_BYTES_H_

#include <cstddef>

namespace weir::base {

/// Returns about how many bytes an entry of a map takes, without what its key and its value own: the pair, the allocator's
/// header and the links. Those of a hash map are the next entry and a bucket; those of a tree three nodes and a color.
template <typename Map>
constexpr std::size_t node_bytes() {
  constexpr bool is_hash_map = requires { typename Map::hasher; };
  return sizeof(typename Map::value_type) + (is_hash_map ? 3 : 5) * sizeof(void*);
}

/// Returns the same for all entries of a map.
template <typename Map>
std::size_t node_bytes(const Map& map) {
  return map.size() * node_bytes<Map>();
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_NODE_BYTES_H_
