// Which image a function comes from. Handles are forgotten when their module is unloaded, because
// the driver hands out the same numbers again.
#include "record.h"
#include <stdlib.h>
#include <string.h>

static Table images;    // modules and libraries -> Image
static Table functions; // functions and kernels -> Function

// Images are never freed: several modules may share one, and it is small once it is written.
void ownImage(Handle owner, const void *bytes, const char *file) {
  lockRecorder();
  isInside = true;
  setValue(&images, keyOf(owner), imageOf(bytes, file));
  isInside = false;
  unlockRecorder();
}

void shareImage(Handle owner, Handle from) {
  lockRecorder();
  Image *image = valueOf(&images, keyOf(from));
  if (image != NULL) setValue(&images, keyOf(owner), image);
  unlockRecorder();
}

static void clearFunction(Function *function) {
  free(function->name);
  memset(function, 0, sizeof *function);
}

void forgetOwner(Handle owner) {
  if (owner == NULL) return;
  lockRecorder();
  for (size_t i = 0; i < functions.capacity; i++) {
    Function *function = functions.slots[i].key == 0 ? NULL : functions.slots[i].value;
    if (function != NULL && function->owner == owner) clearFunction(function);
  }
  if (valueOf(&images, keyOf(owner)) != NULL) setValue(&images, keyOf(owner), NULL);
  unlockRecorder();
}

/// The entry of a handle, made if there is none; null without memory. The caller has the lock.
Function *functionOf(Handle handle) {
  Function *function = valueOf(&functions, keyOf(handle));
  if (function != NULL) return function;
  function = calloc(1, sizeof *function);
  if (function != NULL && setValue(&functions, keyOf(handle), function)) return function;
  free(function);
  return NULL;
}

static void assign(Function *function, Handle owner, const char *name, bool isKernel) {
  if (function == NULL || function->owner == owner) return;
  clearFunction(function);
  function->owner = owner;
  function->image = valueOf(&images, keyOf(owner));
  function->isKernel = isKernel;
  function->name = name == NULL ? NULL : strdup(name);
}

void ownFunction(Handle handle, Handle owner, const char *name, bool isKernel) {
  lockRecorder();
  assign(functionOf(handle), owner, name, isKernel);
  unlockRecorder();
}

#define DRIVER(name, ...) ((Result(*)(__VA_ARGS__))driverSymbol(name))

/// Asks the driver for the name and the module of a handle that no recorded call returned.
void lookUpFunction(Function *function, Handle handle) {
  if (function->isKnown) return;
  function->isKnown = true;
  Handle owner = NULL;
  const char *name = NULL;
  Result (*nameOfFunction)(const char **, Handle) = DRIVER("cuFuncGetName", const char **, Handle);
  Result (*nameOfKernel)(const char **, Handle) = DRIVER("cuKernelGetName", const char **, Handle);
  Result (*moduleOf)(Handle *, Handle) = DRIVER("cuFuncGetModule", Handle *, Handle);
  Result (*libraryOf)(Handle *, Handle) = DRIVER("cuKernelGetLibrary", Handle *, Handle);
  if (function->name == NULL) {
    bool isFound = !function->isKernel && nameOfFunction && nameOfFunction(&name, handle) == 0;
    if (!isFound) {
      isFound = nameOfKernel != NULL && nameOfKernel(&name, handle) == 0;
      function->isKernel = isFound;
    }
    if (isFound && name != NULL) function->name = strdup(name);
  }
  if (function->image != NULL) return;
  bool isOwned = function->isKernel ? libraryOf != NULL && libraryOf(&owner, handle) == 0
                                    : moduleOf != NULL && moduleOf(&owner, handle) == 0;
  if (!isOwned) return;
  if (function->owner == NULL) function->owner = owner;
  function->image = valueOf(&images, keyOf(owner));
}

/// The function of a kernel; the driver knows the library of a kernel that was enumerated, whereas
/// the module of its function is one that no recorded call returned.
void shareFunction(Handle handle, Handle kernel) {
  lockRecorder();
  Function *from = functionOf(kernel);
  if (from != NULL && from->owner == NULL) {
    from->isKernel = true;
    lookUpFunction(from, kernel);
  }
  if (from != NULL && from->owner != NULL && handle != kernel)
    assign(functionOf(handle), from->owner, from->name, false);
  unlockRecorder();
}
