// Handles of images and functions. What was unloaded is handed out again, as the driver does.
#include "driver.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 0x10000, STRIDE = 16, MAX_OBJECTS = 1 << 16 };

static Object *objects[MAX_OBJECTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

Handle newObject(void) {
  pthread_mutex_lock(&mutex);
  int index = 1;
  while (index < MAX_OBJECTS - 1 && objects[index] != NULL && objects[index]->isUsed) index++;
  if (objects[index] == NULL) objects[index] = calloc(1, sizeof(Object));
  if (objects[index] == NULL) abort();
  memset(objects[index], 0, sizeof(Object));
  objects[index]->isUsed = true;
  pthread_mutex_unlock(&mutex);
  return (Handle)(uintptr_t)(FIRST + STRIDE * index);
}

Object *objectOf(Handle handle) {
  const uintptr_t index = ((uintptr_t)handle - FIRST) / STRIDE;
  static Object none;
  return index < MAX_OBJECTS && objects[index] != NULL ? objects[index] : &none;
}

static void freeObject(Object *object) {
  free(object->bytes);
  free(object->name);
  memset(object, 0, sizeof *object);
}

void freeImage(Handle image) {
  pthread_mutex_lock(&mutex);
  for (int i = 1; i < MAX_OBJECTS && objects[i] != NULL; i++)
    if (objects[i]->isUsed && objects[i]->image == image) freeObject(objects[i]);
  freeObject(objectOf(image));
  pthread_mutex_unlock(&mutex);
}
