// The same ring in C: a full and an empty word per stage, spinning, memset in and memcpy out.
//   mbarrier BYTES STAGES ITEMS    prints items per second
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  _Alignas(64) atomic_uint phase;
} barrier;

static barrier *full, *empty;
static char *payload;
static size_t bytes, stages, items, stride;

static void wait_phase(barrier *one, unsigned phase) {
  while (((atomic_load_explicit(&one->phase, memory_order_acquire) ^ phase) & 1) == 0) {
  }
}

static void arrive(barrier *one) {
  atomic_store_explicit(&one->phase, atomic_load_explicit(&one->phase, memory_order_relaxed) + 1,
                        memory_order_release);
}

static void *produce(void *unused) {
  (void)unused;
  size_t stage = 0;
  unsigned lap = 0;
  for (size_t number = 0; number < items; number++) {
    wait_phase(&empty[stage], lap - 1);
    int32_t *words = (int32_t *)(payload + stage * stride);
    memset(words, (int)(number & 255), bytes);
    words[0] = words[bytes / 4 - 1] = (int32_t)number;
    arrive(&full[stage]);
    if (++stage == stages) stage = 0, lap++;
  }
  return NULL;
}

static void *consume(void *unused) {
  (void)unused;
  int32_t *out = aligned_alloc(64, stride);
  size_t stage = 0;
  unsigned lap = 0;
  for (size_t number = 0; number < items; number++) {
    wait_phase(&full[stage], lap);
    memcpy(out, payload + stage * stride, bytes);
    arrive(&empty[stage]);
    if (out[0] != (int32_t)number || out[bytes / 4 - 1] != (int32_t)number) abort();
    if (++stage == stages) stage = 0, lap++;
  }
  free(out);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  bytes = strtoul(argv[1], NULL, 10);
  stages = strtoul(argv[2], NULL, 10);
  items = strtoul(argv[3], NULL, 10);
  stride = (bytes + 63) / 64 * 64;
  full = aligned_alloc(64, stages * sizeof(barrier));
  empty = aligned_alloc(64, stages * sizeof(barrier));
  payload = aligned_alloc(64, stages * stride);
  memset(full, 0, stages * sizeof(barrier));
  memset(empty, 0, stages * sizeof(barrier));
  memset(payload, 0, stages * stride);
  struct timespec from, to;
  pthread_t producer, consumer;
  clock_gettime(CLOCK_MONOTONIC, &from);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  clock_gettime(CLOCK_MONOTONIC, &to);
  double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
  printf("%.0f\n", (double)items / seconds);
  return 0;
}
