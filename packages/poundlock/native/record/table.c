// A hash table from 64-bit keys to values, and the hash of bytes. Key 0 is none.
#include "record.h"
#include <stdlib.h>
#include <string.h>

static const u64 MIX = 0x9e3779b97f4a7c15ull;

u64 hashOf(const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  u64 hash = 0xcbf29ce484222325ull ^ length;
  for (; length >= 8; length -= 8, byte += 8) {
    u64 word;
    memcpy(&word, byte, 8);
    hash = (hash ^ word) * MIX;
    hash ^= hash >> 29;
  }
  for (; length > 0; length--, byte++) {
    hash = (hash ^ *byte) * MIX;
    hash ^= hash >> 29;
  }
  return hash;
}

/// The slot of a key, or the free one where it belongs. The table has a free slot.
static Slot *slotOf(const Table *table, u64 key) {
  for (size_t index = (size_t)(key * MIX >> 20);; index++) {
    Slot *slot = &table->slots[index & (table->capacity - 1)];
    if (slot->key == key || slot->key == 0) return slot;
  }
}

static bool grow(Table *table) {
  Table larger = {.count = table->count, .capacity = table->capacity ? table->capacity * 2 : 256};
  larger.slots = calloc(larger.capacity, sizeof(Slot));
  if (larger.slots == NULL) return false;
  for (size_t i = 0; i < table->capacity; i++)
    if (table->slots[i].key != 0) *slotOf(&larger, table->slots[i].key) = table->slots[i];
  free(table->slots);
  *table = larger;
  return true;
}

void *valueOf(const Table *table, u64 key) {
  return key == 0 || table->capacity == 0 ? NULL : slotOf(table, key)->value;
}

bool setValue(Table *table, u64 key, void *value) {
  if (key == 0) return false;
  if (table->count * 2 >= table->capacity && !grow(table)) return false;
  Slot *slot = slotOf(table, key);
  if (slot->key == 0) table->count++;
  slot->key = key;
  slot->value = value;
  return true;
}
