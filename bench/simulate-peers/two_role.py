# The two-role ring in SimPy: a producer, a copy engine with one link, and a consumer.
#
#   python3 two_role.py TILES STAGES CONSUMER_CYCLES
#
# It has what the simulator has of the machine (issue costs, a link that serves one copy after the
# other, a latency) and none of its barrier semantics, polls or memory queues.
import json
import sys
import time

import simpy

WAIT, EXPECT, ISSUE, ARRIVE = 112, 56, 59, 10
LATENCY, BYTES, BYTES_PER_CYCLE = 250, 8192, 106


def run(tiles, stages, consumer_cycles):
    env = simpy.Environment()
    empty = simpy.Container(env, capacity=stages, init=stages)
    full = simpy.Container(env, capacity=stages, init=0)
    link = simpy.Resource(env, capacity=1)

    def copy():
        with link.request() as turn:
            yield turn
            yield env.timeout(BYTES / BYTES_PER_CYCLE)
        yield env.timeout(LATENCY)
        yield full.put(1)

    def producer():
        for _ in range(tiles):
            yield empty.get(1)
            yield env.timeout(WAIT + EXPECT)
            env.process(copy())
            yield env.timeout(ISSUE)

    def consumer():
        for _ in range(tiles):
            yield full.get(1)
            yield env.timeout(WAIT + consumer_cycles + ARRIVE)
            yield empty.put(1)

    env.process(producer())
    env.run(env.process(consumer()))
    return env.now


tiles, stages, consumer_cycles = map(int, sys.argv[1:])
run(1000, stages, consumer_cycles)
start = time.process_time()
cycles = run(tiles, stages, consumer_cycles)
seconds = time.process_time() - start
print(json.dumps({"tiles": tiles, "seconds": seconds, "cycles": cycles}))
