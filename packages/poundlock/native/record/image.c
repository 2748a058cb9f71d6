// What programs load: PTX text, cubins, fatbins. Only headers are read, for the size; TypeScript
// opens the files that are written here.
#include "record.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FATBIN_WRAPPER = 0x466243b1, FATBIN = 0xba55ed50u, ELF = 0x464c457f };
enum { SECTION_WITHOUT_BYTES = 8 }; // SHT_NOBITS

static u64 field(const unsigned char *bytes, size_t at, size_t size) {
  u64 value = 0;
  memcpy(&value, bytes + at, size);
  return value;
}

static u64 larger(u64 a, u64 b) { return a > b ? a : b; }

/// The bytes of a cubin, from its tables of sections and segments; the driver has loaded it.
static u64 lengthOfElf(const unsigned char *elf) {
  const u64 sections = field(elf, 40, 8), sectionSize = field(elf, 58, 2);
  const u64 sectionCount = field(elf, 60, 2);
  const u64 segments = field(elf, 32, 8);
  u64 end = sections + sectionSize * sectionCount;
  if (end > settings.maxImageBytes) return end;
  for (u64 i = 0; i < sectionCount; i++) {
    const unsigned char *header = elf + sections + i * sectionSize;
    if (field(header, 4, 4) != SECTION_WITHOUT_BYTES)
      end = larger(end, field(header, 24, 8) + field(header, 32, 8));
  }
  if (segments != 0) end = larger(end, segments + field(elf, 54, 2) * field(elf, 56, 2));
  return end;
}

static bool isText(const unsigned char *bytes) {
  return (bytes[0] >= ' ' && bytes[0] < 127) || bytes[0] == '\n' || bytes[0] == '\t';
}

/// Finds out what an image is, and how long.
static void measure(Image *image, const unsigned char *bytes) {
  u64 magic = field(bytes, 0, 4);
  if (magic == FATBIN_WRAPPER) {
    bytes = (const unsigned char *)(uintptr_t)field(bytes, 8, 8);
    magic = field(bytes, 0, 4);
  }
  image->bytes = bytes;
  if (magic == FATBIN) {
    image->kind = "fatbin";
    image->length = field(bytes, 6, 2) + field(bytes, 8, 8);
  } else if (magic == ELF) {
    image->kind = "cubin";
    image->length = lengthOfElf(bytes);
  } else if (isText(bytes)) {
    image->kind = "ptx";
    image->length = strlen((const char *)bytes);
  } else {
    image->bytes = NULL;
  }
}

static bool isPartOfProgram(const void *bytes) {
  Dl_info object;
  return dladdr(bytes, &object) != 0;
}

static void copyBytes(Image *image) {
  void *copy = image->length > settings.maxImageBytes ? NULL : malloc(image->length + 1);
  if (copy != NULL) memcpy(copy, image->bytes, image->length);
  image->bytes = copy;
  image->isCopied = copy != NULL;
}

/// An image that the program hands over, or that the driver loads from a file; null without memory.
Image *imageOf(const void *bytes, const char *file) {
  Image *image = calloc(1, sizeof *image);
  if (image == NULL) return NULL;
  image->kind = "unknown";
  if (file != NULL) {
    snprintf(image->file, sizeof image->file, "%s", file);
    size_t length = 0;
    void *read = readFile(file, &length);
    image->kind = "file";
    if (read != NULL && length > 64) {
      measure(image, read);
      if (image->length > length) image->length = length;
      image->isCopied = image->bytes != NULL;
    }
    if (!image->isCopied) free(read);
    return image;
  }
  measure(image, bytes);
  // The caller may free an image once it is loaded; one in a program or library stays.
  if (image->bytes != NULL && !isPartOfProgram(image->bytes)) copyBytes(image);
  return image;
}

/// Writes an image once. The name is its hash; empty for one that is too large or unreadable.
const char *writtenImage(Image *image) {
  if (image == NULL) return "";
  if (image->isWritten || image->bytes == NULL) return image->name;
  if (image->length > settings.maxImageBytes) return image->name;
  if (!image->isCopied && !isPartOfProgram(image->bytes)) return image->name; // unloaded since
  char name[24], file[64];
  snprintf(name, sizeof name, "%016llx", (unsigned long long)hashOf(image->bytes, image->length));
  snprintf(file, sizeof file, "image-%s.%s", name, image->kind);
  image->isWritten = hasFile(file) || writeFile(file, image->bytes, image->length);
  if (image->isWritten && strcmp(image->kind, "fatbin") == 0 && !image->isCopied)
    writeRelocatable(image->bytes, name);
  if (image->isWritten) memcpy(image->name, name, sizeof name);
  if (image->isCopied) free((void *)image->bytes);
  image->isCopied = false;
  image->bytes = NULL;
  return image->name;
}
