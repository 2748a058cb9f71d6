// One launch as a line of JSON: what the host decided, and what its parameters lead to.
#include "record.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER(name, ...) ((Result(*)(__VA_ARGS__))driverSymbol(name))

static const char *word(bool value) { return value ? "true" : "false"; }

static int functionAttribute(const Function *function, Handle handle, int which, int device) {
  int value = 0;
  if (function->isKernel) {
    Result (*ask)(int *, int, Handle, int) =
        DRIVER("cuKernelGetAttribute", int *, int, Handle, int);
    if (ask != NULL) ask(&value, which, handle, device);
  } else {
    Result (*ask)(int *, int, Handle) = DRIVER("cuFuncGetAttribute", int *, int, Handle);
    if (ask != NULL) ask(&value, which, handle);
  }
  return value;
}

static void appendThree(Text *text, const char *name, u32 x, u32 y, u32 z) {
  append(text, ",\"%s\":[%u,%u,%u]", name, x, y, z);
}

/// The cluster of the launch attribute, else the one that the kernel requires.
static void appendCluster(Text *text, const Launch *launch, const Chosen *chosen,
                          const Function *function, int device) {
  const u32 *cluster = chosen->cluster;
  if (cluster[0] != 0) return appendThree(text, "cluster", cluster[0], cluster[1], cluster[2]);
  int required[3];
  for (int axis = 0; axis < 3; axis++)
    required[axis] =
        functionAttribute(function, launch->function, FUNCTION_CLUSTER_X + axis, device);
  if (required[0] <= 0) return;
  appendThree(text, "cluster", (u32)required[0], required[1] > 0 ? (u32)required[1] : 1,
              required[2] > 0 ? (u32)required[2] : 1);
}

static void appendDevice(Text *text, int device) {
  Result (*attribute)(int *, int, int) = DRIVER("cuDeviceGetAttribute", int *, int, int);
  Result (*version)(int *) = DRIVER("cuDriverGetVersion", int *);
  int major = 0, minor = 0, processors = 0, driver = 0;
  if (attribute != NULL) {
    attribute(&major, DEVICE_MAJOR, device);
    attribute(&minor, DEVICE_MINOR, device);
    attribute(&processors, DEVICE_PROCESSORS, device);
  }
  if (version != NULL) version(&driver);
  append(text, ",\"device\":{\"sm\":[%d,%d],\"processors\":%d,\"driver\":%d}", major, minor,
         processors, driver);
}

static void appendParameters(Text *text, const Parameters *parameters) {
  append(text, ",\"parameters\":{\"isSized\":%s,\"isPacked\":%s,\"bytes\":\"",
         word(parameters->isSized), word(parameters->isPacked));
  appendHex(text, parameters->bytes, parameters->length);
  append(text, "\",\"list\":[");
  for (int i = 0; i < parameters->count; i++)
    append(text, "%s[%zu,%zu]", i == 0 ? "" : ",", parameters->list[i].offset,
           parameters->list[i].size);
  append(text, "]}");
}

/// What the parameters of a launch lead to, as lists that are filled in one pass.
typedef struct {
  Text maps, pointers;
  int mapCount, pointerCount;
  Copied copied;
} Found;

static void foundMap(Found *found, const EncodedMap *map, const char *place, size_t at) {
  if (found->mapCount >= MAX_MAPS_OF_LAUNCH) return;
  append(&found->maps, "%s", found->mapCount++ == 0 ? "" : ",");
  appendMap(&found->maps, map, place, at);
}

/// A pointer, the map behind it, and the memory behind it, as far as the user asked for them.
static void foundPointer(Found *found, const Parameters *parameters, size_t at, u64 address,
                         const Allocation *allocation, bool mayCopy, Handle stream) {
  append(&found->pointers, "%s{\"at\":%zu,\"address\":\"0x%llx\",\"base\":\"0x%llx\",\"size\":%zu}",
         found->pointerCount++ == 0 ? "" : ",", at, (unsigned long long)address,
         (unsigned long long)allocation->base, allocation->size);
  const u64 left = allocation->base + allocation->size - address;
  if (!mayCopy) return;
  TensorMap bytes;
  if (settings.follows && address % 64 == 0 && left >= TENSOR_MAP_BYTES &&
      copyFromDevice(&bytes, address, TENSOR_MAP_BYTES, stream)) {
    const EncodedMap *map = mapOf(&bytes);
    if (map != NULL) return foundMap(found, map, "behind", at);
  }
  const u64 asked = bytesAskedFor(parameters, at);
  if (asked > 0) copyMemory(&found->copied, at, address, asked < left ? asked : left, stream);
}

static void findAll(Found *found, const Parameters *parameters, bool mayCopy, Handle stream) {
  for (size_t at = 0; at + 8 <= parameters->length; at += 8) {
    const EncodedMap *map =
        at + TENSOR_MAP_BYTES <= parameters->length ? mapOf(parameters->bytes + at) : NULL;
    Allocation allocation;
    u64 address;
    memcpy(&address, parameters->bytes + at, 8);
    if (map != NULL) {
      foundMap(found, map, "at", at);
      at += TENSOR_MAP_BYTES - 8;
    } else if (isAddress(address, &allocation)) {
      foundPointer(found, parameters, at, address, &allocation, mayCopy, stream);
    }
  }
}

static bool isCopied(const Function *function) {
  if (!settings.follows && settings.copyCount == 0) return false;
  return settings.kernels == NULL || function->name == NULL ||
         fnmatch(settings.kernels, function->name, 0) == 0;
}

bool writeLaunch(const Launch *launch, const Chosen *chosen, Function *function,
                 const Parameters *parameters) {
  Result (*deviceOf)(int *) = DRIVER("cuCtxGetDevice", int *);
  int device = 0;
  if (deviceOf != NULL) deviceOf(&device);
  const bool isCaptured = isCapturing(launch->stream);
  Text text = {0};
  append(&text, "{\"name\":");
  appendString(&text, function->name == NULL ? "" : function->name);
  append(&text, ",\"api\":\"%s\",\"image\":\"%s\",\"kind\":\"%s\",\"file\":", launch->api,
         writtenImage(function->image), function->image ? function->image->kind : "unknown");
  appendString(&text, function->image == NULL ? "" : function->image->file);
  appendThree(&text, "grid", launch->grid[0], launch->grid[1], launch->grid[2]);
  appendThree(&text, "block", launch->block[0], launch->block[1], launch->block[2]);
  appendCluster(&text, launch, chosen, function, device);
  append(&text, ",\"dynamicShared\":%u,\"staticShared\":%d,\"registers\":%d", launch->sharedBytes,
         functionAttribute(function, launch->function, FUNCTION_STATIC_SHARED, device),
         functionAttribute(function, launch->function, FUNCTION_REGISTERS, device));
  append(&text, ",\"isCooperative\":%s,\"isProgrammatic\":%s,\"isCaptured\":%s",
         word(chosen->isCooperative), word(chosen->isProgrammatic), word(isCaptured));
  appendDevice(&text, device);
  appendParameters(&text, parameters);
  Found found = {0};
  findAll(&found, parameters, isCopied(function) && !isCaptured, launch->stream);
  append(&text, ",\"tensorMaps\":[%s],\"pointers\":[%s],\"memory\":[%s]}\n",
         found.maps.bytes == NULL ? "" : found.maps.bytes,
         found.pointers.bytes == NULL ? "" : found.pointers.bytes,
         found.copied.memory.bytes == NULL ? "" : found.copied.memory.bytes);
  text.isBroken |= found.maps.isBroken || found.pointers.isBroken || found.copied.memory.isBroken;
  const bool isWritten = writeLine(&text);
  freeText(&found.maps);
  freeText(&found.pointers);
  freeText(&found.copied.memory);
  freeText(&text);
  return isWritten;
}
