// Wrappers of the calls that encode tensor maps.
#include "hooks.h"
#include <string.h>

EXPORTED Result cuTensorMapEncodeTiled(TensorMap *map, u32 type, u32 rank, void *address,
                                       const u64 *dimensions, const u64 *strides, const u32 *box,
                                       const u32 *elementStrides, u32 interleave, u32 swizzle,
                                       u32 l2, u32 fill) {
  Result result = CALL(cuTensorMapEncodeTiled,
                       (TensorMap *, u32, u32, void *, const u64 *, const u64 *, const u32 *,
                        const u32 *, u32, u32, u32, u32),
                       map, type, rank, address, dimensions, strides, box, elementStrides,
                       interleave, swizzle, l2, fill);
  if (!isSeen(result) || rank < 1 || rank > MAX_RANK) return result;
  EncodedMap encoded = {.map = *map,
                        .type = type,
                        .rank = rank,
                        .address = (u64)(uintptr_t)address,
                        .interleave = interleave,
                        .swizzle = swizzle,
                        .l2 = l2,
                        .fill = fill};
  memcpy(encoded.dimensions, dimensions, rank * sizeof *dimensions);
  if (strides != NULL) memcpy(encoded.strides, strides, (rank - 1) * sizeof *strides);
  memcpy(encoded.box, box, rank * sizeof *box);
  memcpy(encoded.elementStrides, elementStrides, rank * sizeof *elementStrides);
  rememberMap(&encoded);
  return result;
}

EXPORTED Result cuTensorMapEncodeIm2col(TensorMap *map, u32 type, u32 rank, void *address,
                                        const u64 *dimensions, const u64 *strides,
                                        const int *lower, const int *upper, u32 channels,
                                        u32 pixels, const u32 *elementStrides, u32 interleave,
                                        u32 swizzle, u32 l2, u32 fill) {
  Result result = CALL(cuTensorMapEncodeIm2col,
                       (TensorMap *, u32, u32, void *, const u64 *, const u64 *, const int *,
                        const int *, u32, u32, const u32 *, u32, u32, u32, u32),
                       map, type, rank, address, dimensions, strides, lower, upper, channels,
                       pixels, elementStrides, interleave, swizzle, l2, fill);
  if (!isSeen(result) || rank < 3 || rank > MAX_RANK) return result;
  EncodedMap encoded = {.map = *map,
                        .isIm2col = true,
                        .type = type,
                        .rank = rank,
                        .address = (u64)(uintptr_t)address,
                        .interleave = interleave,
                        .swizzle = swizzle,
                        .l2 = l2,
                        .fill = fill,
                        .channels = channels,
                        .pixels = pixels};
  memcpy(encoded.dimensions, dimensions, rank * sizeof *dimensions);
  memcpy(encoded.strides, strides, (rank - 1) * sizeof *strides);
  memcpy(encoded.lower, lower, (rank - 2) * sizeof *lower);
  memcpy(encoded.upper, upper, (rank - 2) * sizeof *upper);
  memcpy(encoded.elementStrides, elementStrides, rank * sizeof *elementStrides);
  rememberMap(&encoded);
  return result;
}

EXPORTED Result cuTensorMapReplaceAddress(TensorMap *map, void *address) {
  lockRecorder();
  const EncodedMap *known = settings.isOn ? mapOf(map) : NULL;
  EncodedMap encoded = {0};
  if (known != NULL) encoded = *known;
  unlockRecorder();
  Result result = CALL(cuTensorMapReplaceAddress, (TensorMap *, void *), map, address);
  if (!isSeen(result) || encoded.rank == 0) return result;
  encoded.map = *map;
  encoded.address = (u64)(uintptr_t)address;
  rememberMap(&encoded);
  return result;
}
