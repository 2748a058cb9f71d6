// Images: how long they are, the sections of cubins, the entries of fatbins.
#include "driver.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { FATBIN_WRAPPER = 0x466243b1, FATBIN = 0xba55ed50u, ELF = 0x464c457f };
enum { SECTION_WITHOUT_BYTES = 8, ENTRY_HEADER = 64, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
enum { KIND_PTX = 1, KIND_CUBIN = 2 };

static u64 field(const unsigned char *bytes, size_t at, size_t size) {
  u64 value = 0;
  memcpy(&value, bytes + at, size);
  return value;
}

bool isElf(const unsigned char *bytes) { return field(bytes, 0, 4) == ELF; }
bool isFatbin(const unsigned char *bytes) { return field(bytes, 0, 4) == FATBIN; }

static size_t lengthOfElf(const unsigned char *elf) {
  const u64 sections = field(elf, 40, 8), size = field(elf, 58, 2), count = field(elf, 60, 2);
  u64 end = sections + size * count;
  for (u64 i = 0; i < count; i++) {
    const unsigned char *header = elf + sections + i * size;
    const u64 last = field(header, 24, 8) + field(header, 32, 8);
    if (field(header, 4, 4) != SECTION_WITHOUT_BYTES && last > end) end = last;
  }
  return end;
}

/// The length of an image; a wrapper is replaced by what it names.
size_t imageLength(const unsigned char **bytes) {
  if (field(*bytes, 0, 4) == FATBIN_WRAPPER)
    *bytes = (const unsigned char *)(uintptr_t)field(*bytes, 8, 8);
  if (isFatbin(*bytes)) return field(*bytes, 6, 2) + field(*bytes, 8, 8);
  if (isElf(*bytes)) return lengthOfElf(*bytes);
  return strlen((const char *)*bytes);
}

const unsigned char *sectionOf(const unsigned char *elf, const char *name, size_t *length) {
  const u64 sections = field(elf, 40, 8), size = field(elf, 58, 2), count = field(elf, 60, 2);
  const unsigned char *names = elf + sections + field(elf, 62, 2) * size;
  const char *texts = (const char *)elf + field(names, 24, 8);
  for (u64 i = 0; i < count; i++) {
    const unsigned char *header = elf + sections + i * size;
    if (strcmp(texts + field(header, 0, 4), name) != 0) continue;
    *length = field(header, 32, 8);
    return elf + field(header, 24, 8);
  }
  return NULL;
}

/// A length of LZ4 that goes on in the next bytes.
static size_t longer(size_t start, const unsigned char **from, const unsigned char *end) {
  size_t length = start;
  if (start < 15) return length;
  while (*from < end) {
    const unsigned char byte = *(*from)++;
    length += byte;
    if (byte < 255) break;
  }
  return length;
}

static bool unpackLz4(const unsigned char *from, size_t size, unsigned char *to, size_t room) {
  const unsigned char *end = from + size;
  size_t at = 0;
  while (from < end) {
    const unsigned char token = *from++;
    const size_t literals = longer(token >> 4, &from, end);
    if (literals > (size_t)(end - from) || literals > room - at) return false;
    memcpy(to + at, from, literals);
    at += literals;
    from += literals;
    if (from == end) break;
    if (end - from < 2) return false;
    const size_t distance = field(from, 0, 2);
    from += 2;
    const size_t match = longer(token & 15, &from, end) + 4;
    if (distance == 0 || distance > at || match > room - at) return false;
    for (size_t i = 0; i < match; i++, at++) to[at] = to[at - distance];
  }
  return true;
}

/// The library of zstd, where the machine has it: no entry is unpacked without it.
static bool unpackZstd(const unsigned char *from, size_t size, unsigned char *to, size_t room) {
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  if (library == NULL) return false;
  size_t (*unpack)(void *, size_t, const void *, size_t) =
      (size_t(*)(void *, size_t, const void *, size_t))dlsym(library, "ZSTD_decompress");
  return unpack != NULL && unpack(to, room, from, size) <= room;
}

static unsigned char *unpacked(const unsigned char *entry, size_t *length) {
  const unsigned char *from = entry + field(entry, 4, 4);
  const u64 flags = field(entry, 40, 8), packed = field(entry, 16, 4);
  const bool isPacked = (flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0;
  const size_t stored = packed != 0 && isPacked ? packed : field(entry, 8, 8);
  *length = isPacked ? field(entry, 56, 8) : stored;
  unsigned char *to = *length > (1u << 28) ? NULL : calloc(1, *length + 1);
  bool isRead = to != NULL;
  if (isRead && (flags & FLAG_ZSTD) != 0) isRead = unpackZstd(from, stored, to, *length);
  else if (isRead && (flags & FLAG_LZ4) != 0) isRead = unpackLz4(from, stored, to, *length);
  else if (isRead) memcpy(to, from, stored);
  if (isRead) return to;
  free(to);
  return NULL;
}

static bool hasKernel(const unsigned char *bytes, size_t length, u64 kind, const char *kernel) {
  if (kind == KIND_PTX) return strstr((const char *)bytes, kernel) != NULL;
  char section[512];
  size_t size;
  if (length < 64 || strlen(kernel) > sizeof section - 16) return false;
  strcat(strcpy(section, ".nv.info."), kernel);
  return sectionOf(bytes, section, &size) != NULL;
}

unsigned char *entryOfFatbin(const Object *image, const char *kernel, size_t *length) {
  size_t at = field(image->bytes, 6, 2);
  while (at + ENTRY_HEADER <= image->length) {
    const unsigned char *entry = image->bytes + at;
    const u64 kind = field(entry, 0, 2), header = field(entry, 4, 4);
    if (header < ENTRY_HEADER) return NULL;
    at += header + field(entry, 8, 8);
    if (at > image->length || (kind != KIND_PTX && kind != KIND_CUBIN)) continue;
    unsigned char *bytes = unpacked(entry, length);
    if (bytes != NULL && hasKernel(bytes, *length, kind, kernel)) return bytes;
    free(bytes);
  }
  return NULL;
}
