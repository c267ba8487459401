// Murmur3 as OpenSearch routes documents with it. Functions for any thread.
#ifndef CURLEW_ENGINE_UTIL_MURMUR3_H_
#define CURLEW_ENGINE_UTIL_MURMUR3_H_

#include <cstdint>
#include <string_view>

namespace curlew {

// murmur3_x86_32 of any bytes.
uint32_t Murmur3_32(std::string_view data, uint32_t seed);

// OpenSearch's routing hash: seed 0 over the UTF-16 code units of `routing_utf8`, low byte first.
// Bytes that are not UTF-8 count as U+FFFD each.
int32_t RoutingHash(std::string_view routing_utf8);

// The number_of_routing_shards that OpenSearch derives for `shards` (> 0) primaries when an index
// does not set it: shards * 2^k with k = max(1, 10 - ceil(log2(shards))). That is the largest such
// number up to 1,024 as long as shards <= 512; above, an index can still be split once.
int RoutingShards(int shards);

// The shard of a document: floorMod(hash, RoutingShards) / (RoutingShards / shards).
int ShardOf(std::string_view routing_utf8, int shards);

}  // namespace curlew

#endif  // CURLEW_ENGINE_UTIL_MURMUR3_H_
