// The doors by which a program finds the driver's functions: cuGetProcAddress, dlsym and dlvsym.
#include "hooks.h"
#include <dlfcn.h>

#if defined(__has_attribute)
#if __has_attribute(musttail)
#define TAIL __attribute__((musttail))
#endif
#endif
#ifndef TAIL
#define TAIL // compilers without the attribute make the tail call when they optimize
#endif

EXPORTED Result cuGetProcAddress(const char *name, void **found, int version, u64 flags) {
  Result result =
      CALL(cuGetProcAddress, (const char *, void **, int, u64), name, found, version, flags);
  if (isSeen(result) && found != NULL && *found != NULL)
    *found = wrapperOf(name, *found, version, flags);
  return result;
}

EXPORTED Result cuGetProcAddress_v2(const char *name, void **found, int version, u64 flags,
                                    int *status) {
  Result result = CALL(cuGetProcAddress_v2, (const char *, void **, int, u64, int *), name, found,
                       version, flags, status);
  if (isSeen(result) && found != NULL && *found != NULL)
    *found = wrapperOf(name, *found, version, flags);
  return result;
}

/// Whether a name can be one of the wrapped functions: most lookups end here.
static bool mayBeHook(const char *name) {
  return (name[0] == 'c' && name[1] == 'u') || (name[0] == 'n' && name[1] == 'v');
}

/// The wrapper of what a lookup found, or what it found.
static void *wrapped(const char *name, void *handle, void *found) {
  const enum HookIndex hook = hookNamed(name);
  if (found == NULL || hook == HOOK_COUNT) return found;
  // A program may load several versions of NVRTC, but there is one wrapper: the first is watched.
  if (hook == HOOK_nvrtcGetCUBIN && realOf(hook) != NULL && realOf(hook) != found) return found;
  void *wrapper = wrapperFor(hook, found);
  // In a program without the driver a lookup in all libraries finds the wrapper alone.
  if (found == wrapper && handle == RTLD_DEFAULT && realOf(hook) == NULL) return NULL;
  return wrapper;
}

// RTLD_NEXT goes by the address of the caller: the real function must see the program's own, so it
// is called in its place. A library that asks so wraps the function itself, and finds this one.
EXPORTED void *dlsym(void *restrict handle, const char *restrict name) {
  FindSymbol find = realDlsym();
  if (!settings.isOn || handle == RTLD_NEXT || !mayBeHook(name)) TAIL return find(handle, name);
  return wrapped(name, handle, find(handle, name));
}

EXPORTED void *dlvsym(void *restrict handle, const char *restrict name,
                      const char *restrict version) {
  FindVersionedSymbol find = realDlvsym();
  if (!settings.isOn || handle == RTLD_NEXT || !mayBeHook(name))
    TAIL return find(handle, name, version);
  return wrapped(name, handle, find(handle, name, version));
}
