// Device memory: which words are addresses, and copies that the user asked for.
#include "record.h"

#define DRIVER(name, ...) ((Result(*)(__VA_ARGS__))driverSymbol(name))

/// Two packed integers can look like an address: only the driver knows.
bool isAddress(u64 word, Allocation *allocation) {
  static Result (*range)(u64 *, size_t *, u64);
  if (word >> 32 == 0 || word >> 48 != 0) return false;
  if (range == NULL) range = DRIVER("cuMemGetAddressRange_v2", u64 *, size_t *, u64);
  return range != NULL && range(&allocation->base, &allocation->size, word) == 0;
}

/// Whether the stream is recorded into a graph; then nothing may be copied.
bool isCapturing(Handle stream) {
  Result (*ask)(Handle, int *) = DRIVER("cuStreamIsCapturing", Handle, int *);
  int status = 0;
  return ask != NULL && (ask(stream, &status) != 0 || status != 0);
}

/// Copies what a kernel launched on the stream would read. A copy in the order of the stream
/// disturbs no capture of another thread, as one that synchronizes the context would.
bool copyFromDevice(void *to, u64 from, size_t length, Handle stream) {
  Result (*copy)(void *, u64, size_t, Handle) =
      DRIVER("cuMemcpyDtoHAsync_v2", void *, u64, size_t, Handle);
  Result (*wait)(Handle) = DRIVER("cuStreamSynchronize", Handle);
  if (copy == NULL || wait == NULL) return false;
  const bool isIssued = copy(to, from, length, stream) == 0;
  return wait(stream) == 0 && isIssued;
}
