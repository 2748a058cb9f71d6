// Wrappers of the calls that load images and look functions up.
#include "hooks.h"

EXPORTED Result cuModuleLoad(Handle *module, const char *file) {
  Result result = CALL(cuModuleLoad, (Handle *, const char *), module, file);
  if (isSeen(result)) ownImage(*module, NULL, file);
  return result;
}

EXPORTED Result cuModuleLoadData(Handle *module, const void *image) {
  Result result = CALL(cuModuleLoadData, (Handle *, const void *), module, image);
  if (isSeen(result)) ownImage(*module, image, NULL);
  return result;
}

EXPORTED Result cuModuleLoadDataEx(Handle *module, const void *image, u32 count, int *options,
                                   void **values) {
  Result result = CALL(cuModuleLoadDataEx, (Handle *, const void *, u32, int *, void **), module,
                       image, count, options, values);
  if (isSeen(result)) ownImage(*module, image, NULL);
  return result;
}

EXPORTED Result cuModuleLoadFatBinary(Handle *module, const void *image) {
  Result result = CALL(cuModuleLoadFatBinary, (Handle *, const void *), module, image);
  if (isSeen(result)) ownImage(*module, image, NULL);
  return result;
}

EXPORTED Result cuModuleUnload(Handle module) {
  // Before the driver may hand the number out again.
  if (settings.isOn) forgetOwner(module);
  return CALL(cuModuleUnload, (Handle), module);
}

EXPORTED Result cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  Result replaced = isInside ? 0 : moduleFor(&module, name);
  if (replaced != 0) return replaced;
  Result result =
      CALL(cuModuleGetFunction, (Handle *, Handle, const char *), function, module, name);
  if (isSeen(result)) ownFunction(*function, module, name, false);
  return result;
}

EXPORTED Result cuLibraryLoadData(Handle *library, const void *image, int *jitOptions,
                                  void **jitValues, u32 jitCount, int *options, void **values,
                                  u32 count) {
  Result result =
      CALL(cuLibraryLoadData, (Handle *, const void *, int *, void **, u32, int *, void **, u32),
           library, image, jitOptions, jitValues, jitCount, options, values, count);
  if (isSeen(result)) ownImage(*library, image, NULL);
  return result;
}

EXPORTED Result cuLibraryLoadFromFile(Handle *library, const char *file, int *jitOptions,
                                      void **jitValues, u32 jitCount, int *options, void **values,
                                      u32 count) {
  Result result = CALL(cuLibraryLoadFromFile,
                       (Handle *, const char *, int *, void **, u32, int *, void **, u32), library,
                       file, jitOptions, jitValues, jitCount, options, values, count);
  if (isSeen(result)) ownImage(*library, NULL, file);
  return result;
}

EXPORTED Result cuLibraryUnload(Handle library) {
  if (settings.isOn) forgetOwner(library);
  return CALL(cuLibraryUnload, (Handle), library);
}

EXPORTED Result cuLibraryGetKernel(Handle *kernel, Handle library, const char *name) {
  Result replaced = isInside ? 0 : libraryFor(&library, name);
  if (replaced != 0) return replaced;
  Result result =
      CALL(cuLibraryGetKernel, (Handle *, Handle, const char *), kernel, library, name);
  if (isSeen(result)) ownFunction(*kernel, library, name, true);
  return result;
}

EXPORTED Result cuLibraryGetModule(Handle *module, Handle library) {
  Result result = CALL(cuLibraryGetModule, (Handle *, Handle), module, library);
  if (isSeen(result)) shareImage(*module, library);
  return result;
}

EXPORTED Result cuKernelGetFunction(Handle *function, Handle kernel) {
  Result result = CALL(cuKernelGetFunction, (Handle *, Handle), function, kernel);
  if (isSeen(result)) shareFunction(*function, kernel);
  return result;
}
