// The sizes of the parameters of a kernel, from PTX or from a cubin.
#include "driver.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WITH_VALUE = 4, PARAMETER_INFO = 0x17, SIZE_SHIFT = 18 };

void setSizes(Object *function, const char *list) {
  size_t at = 0;
  char *end;
  for (; list != NULL && *list != 0; list = *end == ',' ? end + 1 : end) {
    const size_t size = strtoul(list, &end, 10);
    if (end == list || function->parameterCount == MAX_LIST) return;
    const size_t align = size == 0 ? 1 : size < 8 ? size : 8;
    at = (at + align - 1) / align * align;
    function->sizes[function->parameterCount] = size;
    function->offsets[function->parameterCount++] = at;
    at += size;
  }
}

/// The size in bytes of `.param .align 64 .b8 name[128]`.
static size_t sizeOfParameter(const char *from, const char *end) {
  size_t size = 0, count = 1;
  for (const char *at = from; at < end; at++) {
    if (*at == '.' && strchr("bufs", at[1]) && isdigit((unsigned char)at[2]) && size == 0)
      size = strtoul(at + 2, NULL, 10) / 8;
    if (*at == '[') count = strtoul(at + 1, NULL, 10);
  }
  return size * count;
}

/// What follows the name of an entry, or null.
static const char *behindEntry(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, ".entry")) != NULL;) {
    at += strlen(".entry");
    at += strspn(at, " \t\r\n");
    const char next = strncmp(at, name, length) == 0 ? at[length] : 'x';
    if (!isalnum((unsigned char)next) && next != '_' && next != '$') return at + length;
  }
  return NULL;
}

static bool readEntry(Object *function, const char *text) {
  const char *at = behindEntry(text, function->name);
  if (at == NULL) return false;
  const char *body = strchr(at, '{'), *cluster = strstr(at, ".reqnctapercluster");
  if (cluster != NULL && cluster < body) {
    function->cluster[1] = function->cluster[2] = 1;
    sscanf(cluster + strlen(".reqnctapercluster"), "%u, %u, %u", &function->cluster[0],
           &function->cluster[1], &function->cluster[2]);
  }
  const char *open = strchr(at, '('), *close = strchr(at, ')');
  if (open == NULL || close == NULL || open > body) return true;
  char *list = calloc(1, MAX_LIST * 24), *next = list;
  for (const char *from = open; list != NULL && (from = strstr(from, ".param")) != NULL;) {
    if (from > close || next - list > MAX_LIST * 22) break;
    const char *end = from;
    while (end < close && *end != ',') end++;
    next += sprintf(next, "%zu,", sizeOfParameter(from + strlen(".param"), end));
    from = end;
  }
  setSizes(function, list);
  free(list);
  return true;
}

/// A record of `.nv.info.KERNEL` for each parameter: its number, offset and size.
static bool readCubin(Object *function, const unsigned char *elf) {
  char name[512];
  size_t length = 0;
  snprintf(name, sizeof name, ".nv.info.%s", function->name);
  const unsigned char *info = sectionOf(elf, name, &length);
  for (size_t at = 0; info != NULL && at + 4 <= length;) {
    uint16_t size;
    memcpy(&size, info + at + 2, 2);
    const bool isValue = info[at] == WITH_VALUE;
    if (isValue && info[at + 1] == PARAMETER_INFO && size >= 12) {
      uint16_t number, offset;
      u32 packed;
      memcpy(&number, info + at + 8, 2);
      memcpy(&offset, info + at + 10, 2);
      memcpy(&packed, info + at + 12, 4);
      if (number >= MAX_LIST) return false;
      function->sizes[number] = packed >> SIZE_SHIFT;
      function->offsets[number] = offset;
      if (function->parameterCount <= number) function->parameterCount = number + 1;
    }
    at += 4 + (isValue ? size : 0u);
  }
  return info != NULL;
}

void readParameters(Object *function, const Object *image) {
  const unsigned char *bytes = image->bytes;
  unsigned char *entry = NULL;
  size_t length;
  if (bytes != NULL && isFatbin(bytes)) bytes = entry = entryOfFatbin(image, function->name, &length);
  const bool isRead = bytes != NULL && (isElf(bytes) ? readCubin(function, bytes)
                                                     : readEntry(function, (const char *)bytes));
  if (!isRead && sizesOfUnknown != NULL) setSizes(function, sizesOfUnknown());
  free(entry);
}
