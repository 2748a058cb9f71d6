// The settings of the recorder, from the environment. Without POUNDLOCK_RECORD nothing is recorded.
#include "record.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Settings settings = {
    .launches = 8, .maxImageBytes = 64ull << 20, .maxTotalBytes = 500ull << 20};

static u64 numberOf(const char *name, u64 missing, u64 most) {
  const char *value = getenv(name);
  if (value == NULL || *value == 0) return missing;
  u64 number = strtoull(value, NULL, 10);
  return number < most ? number : most;
}

/// `5:4096,7+16:64`: bytes behind the pointers in parameter 5, and the one at byte 16 of 7.
static void readCopies(const char *text) {
  while (text != NULL && *text != 0 && settings.copyCount < MAX_COPIES) {
    char *end;
    long parameter = strtol(text, &end, 10);
    if (end == text || parameter < 0 || parameter >= MAX_PARAMETERS) return;
    long offset = -1;
    if (*end == '+') {
      text = end + 1;
      offset = strtol(text, &end, 10);
      if (end == text || offset < 0 || offset >= MAX_PARAMETER_BYTES) return;
    }
    if (*end != ':') return;
    text = end + 1;
    u64 bytes = strtoull(text, &end, 10);
    if (end == text || bytes == 0) return;
    if (bytes > MAX_COPY_BYTES) bytes = MAX_COPY_BYTES;
    settings.copies[settings.copyCount++] = (Copy){(int)parameter, offset, bytes};
    text = *end == ',' ? end + 1 : end;
  }
}

void readSettings(void) {
  const char *folder = getenv("POUNDLOCK_RECORD");
  if (folder == NULL || folder[0] != '/' || strlen(folder) >= sizeof settings.folder) return;
  snprintf(settings.folder, sizeof settings.folder, "%s", folder);
  settings.launches = (int)numberOf("POUNDLOCK_RECORD_LAUNCHES", 8, MAX_RECORDS_OF_KERNEL);
  settings.maxImageBytes = numberOf("POUNDLOCK_RECORD_IMAGE_MB", 64, 1 << 12) << 20;
  settings.maxTotalBytes = numberOf("POUNDLOCK_RECORD_TOTAL_MB", 500, 1 << 20) << 20;
  settings.follows = numberOf("POUNDLOCK_RECORD_FOLLOW", 0, 1) == 1;
  const char *kernels = getenv("POUNDLOCK_RECORD_KERNEL");
  if (kernels != NULL && *kernels != 0) settings.kernels = strdup(kernels);
  readCopies(getenv("POUNDLOCK_RECORD_COPY"));
  readReplacements();
  settings.isOn = true;
}
