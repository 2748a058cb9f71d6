// The wrapper of NVRTC: the PTX of a program that was compiled at run time belongs to its cubin.
#include "hooks.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef Result (*SizeOf)(Handle, size_t *);
typedef Result (*TextOf)(Handle, char *);

static void writePair(const void *cubin, size_t cubinLength, const char *ptx, size_t length) {
  char name[64];
  const u64 hash = hashOf(cubin, cubinLength);
  lockRecorder();
  snprintf(name, sizeof name, "compiled-%016llx.ptx", (unsigned long long)hash);
  bool isWritten = hasFile(name) || writeFile(name, ptx, length);
  snprintf(name, sizeof name, "compiled-%016llx.cubin", (unsigned long long)hash);
  if (isWritten && !hasFile(name)) writeFile(name, cubin, cubinLength);
  unlockRecorder();
}

EXPORTED Result nvrtcGetCUBIN(Handle program, char *cubin) {
  Result result = CALL(nvrtcGetCUBIN, (Handle, char *), program, cubin);
  if (!isSeen(result)) return result;
  // The other functions of the same library: a program may load several versions.
  Dl_info object;
  void *library = dladdr(realOf(HOOK_nvrtcGetCUBIN), &object) == 0
                      ? NULL
                      : dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) return result;
  SizeOf ptxSize = (SizeOf)realDlsym()(library, "nvrtcGetPTXSize");
  SizeOf cubinSize = (SizeOf)realDlsym()(library, "nvrtcGetCUBINSize");
  TextOf ptxOf = (TextOf)realDlsym()(library, "nvrtcGetPTX");
  size_t length = 0, cubinLength = 0;
  if (ptxSize != NULL && cubinSize != NULL && ptxOf != NULL && ptxSize(program, &length) == 0 &&
      cubinSize(program, &cubinLength) == 0 && length > 1 && cubinLength > 0 &&
      length <= settings.maxImageBytes && cubinLength <= settings.maxImageBytes) {
    char *ptx = malloc(length);
    // The size counts the zero at the end.
    if (ptx != NULL && ptxOf(program, ptx) == 0) writePair(cubin, cubinLength, ptx, length - 1);
    free(ptx);
  }
  dlclose(library);
  return result;
}
