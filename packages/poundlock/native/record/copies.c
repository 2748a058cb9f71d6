// Contents of device memory that the user asked for, behind the pointers of a parameter.
#include "record.h"
#include <stdlib.h>
#include <string.h>

/// Whether a copy names the pointer at a place of the parameters.
static bool isNamed(const Copy *copy, const Parameters *parameters, size_t at) {
  // Where the parameters of one buffer begin is known later, from the PTX.
  if (parameters->isPacked) return true;
  if (copy->parameter >= parameters->count) return false;
  const Parameter *parameter = &parameters->list[copy->parameter];
  if (copy->offset >= 0) return at == parameter->offset + (size_t)copy->offset;
  return at >= parameter->offset && at < parameter->offset + parameter->size;
}

u64 bytesAskedFor(const Parameters *parameters, size_t at) {
  u64 most = 0;
  for (int i = 0; i < settings.copyCount; i++)
    if (isNamed(&settings.copies[i], parameters, at) && settings.copies[i].bytes > most)
      most = settings.copies[i].bytes;
  return most;
}

/// The addresses in a copy, at multiples of 8 as in parameters.
static void appendAddresses(Text *text, const unsigned char *bytes, u64 length) {
  int count = 0;
  for (u64 at = 0; at + 8 <= length && count < MAX_ADDRESSES_OF_COPY; at += 8) {
    Allocation allocation;
    u64 address;
    memcpy(&address, bytes + at, 8);
    if (!isAddress(address, &allocation)) continue;
    append(text, "%s{\"at\":%llu,\"address\":\"0x%llx\",\"base\":\"0x%llx\",\"size\":%zu}",
           count++ == 0 ? "" : ",", (unsigned long long)at, (unsigned long long)address,
           (unsigned long long)allocation.base, allocation.size);
  }
}

void copyMemory(Copied *copied, size_t at, u64 address, u64 length, Handle stream) {
  if (length > MAX_COPY_BYTES - copied->bytes) return;
  unsigned char *bytes = malloc(length);
  if (bytes != NULL && copyFromDevice(bytes, address, length, stream)) {
    append(&copied->memory, "%s{\"at\":%zu,\"address\":\"0x%llx\",\"bytes\":\"",
           copied->count++ == 0 ? "" : ",", at, (unsigned long long)address);
    appendHex(&copied->memory, bytes, length);
    append(&copied->memory, "\",\"pointers\":[");
    appendAddresses(&copied->memory, bytes, length);
    append(&copied->memory, "]}");
    copied->bytes += length;
  }
  free(bytes);
}
