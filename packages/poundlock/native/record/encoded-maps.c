// Tensor maps as the program encoded them, found again by their 128 bytes. The newest are
// remembered: a program may encode one for each launch.
#include "record.h"
#include <stdlib.h>
#include <string.h>

static Table byBytes;     // hash of the bytes -> EncodedMap
static EncodedMap *rows;  // MAX_MAPS of them
static u64 encodedCount;

static u64 keyOfMap(const void *bytes) { return hashOf(bytes, TENSOR_MAP_BYTES) | 1; }

/// Makes the table anew of the newer half of the maps.
static void forgetOlder(void) {
  Table fresh = {0};
  for (u64 i = encodedCount - MAX_MAPS / 2; i < encodedCount; i++) {
    EncodedMap *map = &rows[i % MAX_MAPS];
    setValue(&fresh, keyOfMap(&map->map), map);
  }
  free(byBytes.slots);
  byBytes = fresh;
}

void rememberMap(const EncodedMap *map) {
  lockRecorder();
  if (rows == NULL) rows = calloc(MAX_MAPS, sizeof *rows);
  const u64 key = keyOfMap(&map->map);
  EncodedMap *known = valueOf(&byBytes, key);
  if (known != NULL) {
    *known = *map;
  } else if (rows != NULL) {
    if (encodedCount >= MAX_MAPS && encodedCount % (MAX_MAPS / 2) == 0) forgetOlder();
    EncodedMap *row = &rows[encodedCount % MAX_MAPS];
    *row = *map;
    if (setValue(&byBytes, key, row)) encodedCount++;
  }
  unlockRecorder();
}

/// The map that these 128 bytes are, or null. The caller has the lock.
const EncodedMap *mapOf(const void *bytes) {
  if (encodedCount == 0) return NULL;
  const EncodedMap *map = valueOf(&byBytes, keyOfMap(bytes));
  return map != NULL && memcmp(&map->map, bytes, TENSOR_MAP_BYTES) == 0 ? map : NULL;
}

static void appendNumbers(Text *text, const char *name, const u64 *numbers, u32 count) {
  append(text, ",\"%s\":[", name);
  for (u32 i = 0; i < count; i++)
    append(text, "%s%llu", i == 0 ? "" : ",", (unsigned long long)numbers[i]);
  append(text, "]");
}

static void appendWords(Text *text, const char *name, const u32 *numbers, u32 count) {
  append(text, ",\"%s\":[", name);
  for (u32 i = 0; i < count; i++) append(text, "%s%u", i == 0 ? "" : ",", numbers[i]);
  append(text, "]");
}

static void appendSigned(Text *text, const char *name, const int *numbers, u32 count) {
  append(text, ",\"%s\":[", name);
  for (u32 i = 0; i < count; i++) append(text, "%s%d", i == 0 ? "" : ",", numbers[i]);
  append(text, "]");
}

void appendMap(Text *text, const EncodedMap *map, const char *place, size_t at) {
  append(text, "{\"%s\":%zu,\"encoded\":\"%s\",\"type\":%u,\"rank\":%u,\"address\":\"0x%llx\"", place,
         at, map->isIm2col ? "im2col" : "tiled", map->type, map->rank,
         (unsigned long long)map->address);
  Allocation allocation;
  if (isAddress(map->address, &allocation))
    append(text, ",\"base\":\"0x%llx\",\"size\":%zu", (unsigned long long)allocation.base,
           allocation.size);
  append(text, ",\"interleave\":%u,\"swizzle\":%u,\"l2\":%u,\"fill\":%u", map->interleave,
         map->swizzle, map->l2, map->fill);
  appendNumbers(text, "dimensions", map->dimensions, map->rank);
  appendNumbers(text, "strides", map->strides, map->rank - 1);
  appendWords(text, "elementStrides", map->elementStrides, map->rank);
  if (map->isIm2col) {
    appendSigned(text, "lower", map->lower, map->rank - 2);
    appendSigned(text, "upper", map->upper, map->rank - 2);
    append(text, ",\"channels\":%u,\"pixels\":%u", map->channels, map->pixels);
  } else {
    appendWords(text, "box", map->box, map->rank);
  }
  append(text, "}");
}
