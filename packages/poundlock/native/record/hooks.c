// The table of wrappers and of the functions behind them.
#include "hooks.h"
#include <dlfcn.h>
#include <string.h>

// The wrappers have their types where they are defined; only their addresses are needed here.
#define X(symbol, name, version, perThread) EXPORTED void symbol(void);
DRIVER_HOOKS(X)
COMPILER_HOOKS(X)
#undef X

/// A wrapped function.
typedef struct {
  const char *symbol, *name;
  int version;
  bool isPerThread;
  void *wrapper;
} Hook;

static const Hook hooks[HOOK_COUNT] = {
#define X(symbol, name, version, perThread) {#symbol, name, version, perThread, (void *)symbol},
    DRIVER_HOOKS(X) COMPILER_HOOKS(X)
#undef X
};

static void *real[HOOK_COUNT];

void *realOf(enum HookIndex hook) {
  void *found = __atomic_load_n(&real[hook], __ATOMIC_ACQUIRE);
  if (found != NULL) return found;
  // Another preloaded library may wrap the same function: it comes before the driver.
  found = realDlsym()(RTLD_NEXT, hooks[hook].symbol);
  if (found == NULL) found = driverSymbol(hooks[hook].symbol);
  if (found == hooks[hook].wrapper) found = NULL;
  __atomic_store_n(&real[hook], found, __ATOMIC_RELEASE);
  return found;
}

void *wrapperFor(enum HookIndex hook, void *found) {
  if (found != hooks[hook].wrapper) __atomic_store_n(&real[hook], found, __ATOMIC_RELEASE);
  return hooks[hook].wrapper;
}

enum HookIndex hookNamed(const char *symbol) {
  for (int i = 0; i < HOOK_COUNT; i++)
    if (strcmp(hooks[i].symbol, symbol) == 0) return (enum HookIndex)i;
  return HOOK_COUNT;
}

enum { LAST_VERSION = 13999 }; // the last major version whose interface this file knows

void *wrapperOf(const char *name, void *found, int version, u64 flags) {
  const bool isPerThread = (flags & PROC_PER_THREAD_STREAM) != 0;
  int best = HOOK_COUNT;
  for (int i = 0; i < HOOK_COUNT; i++) {
    const Hook *hook = &hooks[i];
    if (found == hook->wrapper) return found;
    if (hook->version > version || strcmp(hook->name, name) != 0) continue;
    if (hook->isPerThread && !isPerThread) continue;
    if (best == HOOK_COUNT || hook->isPerThread || hook->version > hooks[best].version) best = i;
  }
  if (best == HOOK_COUNT) return found;
  // A later interface may have other arguments under the same name.
  if (version > LAST_VERSION && found != driverSymbol(hooks[best].symbol)) return found;
  return wrapperFor((enum HookIndex)best, found);
}
