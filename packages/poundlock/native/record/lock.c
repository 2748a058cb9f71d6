// One lock for all tables and files, which a child made by fork finds free.
#include "record.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__thread bool isInside;

void lockRecorder(void) { pthread_mutex_lock(&mutex); }
void unlockRecorder(void) { pthread_mutex_unlock(&mutex); }

// A thread that forks in a call of the recorder's own holds the lock already.
static void beforeFork(void) {
  if (!isInside) lockRecorder();
}
static void afterFork(void) {
  if (!isInside) unlockRecorder();
}

void prepareForks(void) { pthread_atfork(beforeFork, afterFork, afterFork); }
