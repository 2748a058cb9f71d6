// cuGetProcAddress. A function that the driver lacks gets a stand-in that returns NOT_SUPPORTED and
// writes its name to POUNDLOCK_DRIVER_LOG at its first call.
#include "driver.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_UNKNOWN = 512 };
static char *unknown[MAX_UNKNOWN];
static bool isWritten[MAX_UNKNOWN];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static Result refuse(int index) {
  pthread_mutex_lock(&mutex);
  const char *path = isWritten[index] ? NULL : getenv("POUNDLOCK_DRIVER_LOG");
  isWritten[index] = true;
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file >= 0) {
    dprintf(file, "%s\n", unknown[index]);
    close(file);
  }
  pthread_mutex_unlock(&mutex);
  return NOT_SUPPORTED;
}

// One function for each number: 8 × 8 × 8.
#define ONE(n) \
  static Result unknown##n(void) { return refuse(0##n); }
#define EIGHT(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7)
#define MANY(n) \
  EIGHT(n##0) EIGHT(n##1) EIGHT(n##2) EIGHT(n##3) EIGHT(n##4) EIGHT(n##5) EIGHT(n##6) EIGHT(n##7)
MANY(0) MANY(1) MANY(2) MANY(3) MANY(4) MANY(5) MANY(6) MANY(7)
#define NAME(n) unknown##n,
#define NAMES(n) \
  NAME(n##0) NAME(n##1) NAME(n##2) NAME(n##3) NAME(n##4) NAME(n##5) NAME(n##6) NAME(n##7)
#define ALL(n) \
  NAMES(n##0) NAMES(n##1) NAMES(n##2) NAMES(n##3) NAMES(n##4) NAMES(n##5) NAMES(n##6) NAMES(n##7)
static Result (*const REFUSALS[MAX_UNKNOWN])(void) = {ALL(0) ALL(1) ALL(2) ALL(3)
                                                          ALL(4) ALL(5) ALL(6) ALL(7)};

static void *refusalOf(const char *name) {
  pthread_mutex_lock(&mutex);
  int index = 0;
  while (index < MAX_UNKNOWN - 1 && unknown[index] != NULL && strcmp(unknown[index], name) != 0) index++;
  if (unknown[index] == NULL) unknown[index] = strdup(name);
  pthread_mutex_unlock(&mutex);
  return (void *)REFUSALS[index];
}

/// Newer versions first; `since` is the version of CUDA that a suffix belongs to.
static const struct {
  const char *suffix;
  int since;
  bool isPerThread;
} VERSIONS[] = {{"_ptsz", 0, true}, {"_v4", 13000, false}, {"_v3", 12030, false},
                {"_v2", 3020, false}, {"", 0, false}};

static void *known(const char *name, int version, u64 flags) {
  void *self = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  for (size_t i = 0; self != NULL && i < sizeof VERSIONS / sizeof VERSIONS[0]; i++) {
    char symbol[128];
    if (VERSIONS[i].isPerThread && (flags & PROC_PER_THREAD_STREAM) == 0) continue;
    if (version < VERSIONS[i].since) continue;
    snprintf(symbol, sizeof symbol, "%s%s", name, VERSIONS[i].suffix);
    void *found = dlsym(self, symbol);
    if (found != NULL) return found;
  }
  return NULL;
}

PUBLIC Result cuGetProcAddress_v2(const char *name, void **found, int version, u64 flags,
                                  int *status) {
  *found = known(name, version, flags);
  if (*found == NULL && strncmp(name, "cu", 2) == 0) *found = refusalOf(name);
  if (status != NULL) *status = *found == NULL ? 1 : 0;
  return *found == NULL ? NOT_FOUND : 0;
}
PUBLIC Result cuGetProcAddress(const char *name, void **found, int version, u64 flags) {
  return cuGetProcAddress_v2(name, found, version, flags, NULL);
}
/// Tables that no page of CUDA describes.
PUBLIC Result cuGetExportTable(const void **table, const void *id) {
  (void)id;
  *table = NULL;
  return ((Result(*)(void))refusalOf("cuGetExportTable"))();
}
