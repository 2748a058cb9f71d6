// Decides which launches are written. Later launches of a kernel must cost next to nothing: a new
// grid or block is always seen; parameters are looked at in the first launches of a kernel, then
// each time that their number has doubled.
#include "record.h"
#include <string.h>

enum { SHAPES = 8, RECENT = 8 };

static bool hasHash(const u64 *hashes, int count, u64 hash) {
  for (int i = 0; i < count; i++)
    if (hashes[i] == hash) return true;
  return false;
}

static void addShape(Function *function, u64 hash) {
  if (hasHash(function->shapes, SHAPES, hash)) return;
  int free = 0;
  while (free < SHAPES - 1 && function->shapes[free] != 0) free++;
  function->shapes[free] = hash;
}

static Chosen chosenBy(const Launch *launch) {
  Chosen chosen = {.isCooperative = launch->isCooperative};
  for (u32 i = 0; i < launch->attributeCount; i++) {
    const Attribute *attribute = &launch->attributes[i];
    if (attribute->id == ATTRIBUTE_CLUSTER) memcpy(chosen.cluster, attribute->value, 12);
    if (attribute->id == ATTRIBUTE_COOPERATIVE && attribute->value[0] != 0)
      chosen.isCooperative = true;
    if (attribute->id == ATTRIBUTE_PROGRAMMATIC && attribute->value[0] != 0)
      chosen.isProgrammatic = true;
  }
  return chosen;
}

static u64 hashOfShape(const Launch *launch, const Chosen *chosen) {
  const u32 shape[] = {launch->grid[0],    launch->grid[1],      launch->grid[2],
                       launch->block[0],   launch->block[1],     launch->block[2],
                       chosen->cluster[0], chosen->cluster[1],   chosen->cluster[2],
                       launch->sharedBytes, chosen->isCooperative, chosen->isProgrammatic};
  return hashOf(shape, sizeof shape);
}

/// The hash of the parameters less their addresses: of a tensor map only its box counts.
static u64 hashOfValues(const Parameters *parameters, u64 shape) {
  static unsigned char values[MAX_PARAMETER_BYTES]; // under the lock
  memcpy(values, parameters->bytes, parameters->length);
  for (size_t at = 0; at + 8 <= parameters->length; at += 8) {
    const EncodedMap *map =
        at + TENSOR_MAP_BYTES <= parameters->length ? mapOf(parameters->bytes + at) : NULL;
    Allocation allocation;
    u64 word;
    memcpy(&word, parameters->bytes + at, 8);
    if (map != NULL) {
      memset(values + at, 0, TENSOR_MAP_BYTES);
      memcpy(values + at, map->box, sizeof map->box);
      at += TENSOR_MAP_BYTES - 8;
    } else if (isAddress(word, &allocation)) {
      memset(values + at, 0, 8);
    }
  }
  return hashOf(values, parameters->length) ^ shape;
}

/// Writes the launch if it differs from those that were written.
static void look(const Launch *launch, const Chosen *chosen, Function *function, u64 shape) {
  static Parameters parameters; // under the lock
  lookUpFunction(function, launch->function);
  readParameters(&parameters, function, launch->function, launch->parameters, launch->extra);
  // The same bytes again need no question to the driver.
  const u64 bytes = hashOf(parameters.bytes, parameters.length) ^ shape;
  if (hasHash(function->recent, RECENT, bytes)) return;
  function->recent[function->calls % RECENT] = bytes;
  addShape(function, shape);
  const u64 values = hashOfValues(&parameters, shape);
  if (hasHash(function->records, function->recordCount, values)) return;
  if (function->recordCount >= settings.launches) {
    function->isDone = true;
    return;
  }
  function->records[function->recordCount++] = values;
  writeLaunch(launch, chosen, function, &parameters);
}

static bool isPowerOfTwo(u32 number) { return (number & (number - 1)) == 0; }

void recordLaunch(const Launch *launch) {
  if (!settings.isOn || isInside || launch->function == NULL) return;
  lockRecorder();
  Function *function = functionOf(launch->function);
  if (function != NULL && !function->isDone) {
    function->calls++;
    const Chosen chosen = chosenBy(launch);
    const u64 shape = hashOfShape(launch, &chosen);
    if (function->calls <= FIRST_LOOKS || isPowerOfTwo(function->calls) ||
        !hasHash(function->shapes, SHAPES, shape)) {
      isInside = true;
      look(launch, &chosen, function, shape);
      isInside = false;
    }
  }
  unlockRecorder();
}
