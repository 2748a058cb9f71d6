// The SM90 ping-pong GEMM in the words of CUTLASS C++: one loads, two warpgroups multiply by turns.
//
// Shows: states that the program keeps. Each is an index and a phase bit, plain data, and the state of
// a `loop`; only `advance` changes it. Without a count it repeats, so that this is proved for
// any number of tiles: --every tiles. The math warpgroups share one ring and take every other tile, so
// each skips the k tiles of the other one. An OrderedSequenceBarrier of two stages lets one multiply
// while the other stores.
// Unlike dsl-gemm, the arrival counts are computed: 128 consumer threads, each of which arrives.
//
//   role    waits for                    works on                     signals
//   load    ab.empty[index]              TMA copies of A and B        ab.full[index], by their bytes
//   math0   order, ab.full[index]        wgmma; then a TMA store      ab.empty[index], 128 arrivals;
//   math1   the same, one tile later     the same                     order of the other, 128 arrivals
import {
  asyncUse,
  buffer,
  count,
  end,
  fence,
  integer,
  kernel,
  loop,
  mma,
  role,
  UNITS,
  write,
} from 'poundlock';
import { advance, cutlass, makeConsumerStartState, makeProducerStartState } from 'poundlock/cute';

const WARPGROUP = 128;
const GROUPS = 2;

export default kernel(
  'ping-pong',
  { stages: 4, kTiles: integer(4, { min: 1 }), tiles: 4 },
  (params) => {
    const { stages, kTiles, tiles } = params;
    const ab = cutlass.PipelineTmaAsync.create('ab', {
      stages,
      bytes: { a: 16_384, b: 16_384 },
      numConsumers: WARPGROUP, // of one group: a stage is released by the group that read it
    });
    const order = cutlass.OrderedSequenceBarrier.create('order', {
      depth: 2, // a turn to multiply, and a turn to store
      length: GROUPS,
      groupSize: WARPGROUP,
    });
    const shared = buffer('c');
    const items = count(tiles); // each role counts the tiles of all

    const load = role('load', function* () {
      const last = yield* loop(makeProducerStartState(ab, { counted: false }), function* (state) {
        if (!(yield* items.more())) return end(state);
        for (let k = 0; k < kTiles; k++) {
          yield* ab.producerAcquire(state); // expects 32,768 B
          ab.tmaLoad(state);
          state = advance(state);
        }
        return state;
      });
      yield* ab.producerTail(last);
    });

    const math = (group: number) =>
      role(`math${group}`, { lanes: WARPGROUP }, function* () {
        const turns = order.group(group);
        const stores = cutlass.PipelineTmaStore.create({ numStages: 1 });
        // The second group starts behind the tile of the first one.
        for (let skipped = 0; skipped < group; skipped++) yield* items.more();
        const start = advance(makeConsumerStartState(ab, { counted: false }), group * kTiles);
        yield* loop(start, function* (state) {
          if (!(yield* items.more())) return end(null);

          yield* turns.wait(); // the other group has issued its last k tile
          let release = state;
          for (let k = 0; k < kTiles; k++) {
            yield* ab.consumerWait(state);
            asyncUse(UNITS.mma, { reads: ab.buffers(state), group: true });
            state = advance(state);
            if (k === 0) continue;
            yield* mma.waitGroup(1); // all but the newest are done
            ab.consumerRelease(release);
            release = advance(release);
          }
          yield* turns.arrive();
          yield* mma.waitGroup(0);
          ab.consumerRelease(release);

          yield* turns.wait(); // the other group has stored its tile
          write(shared);
          fence('proxy.async', { space: 'shared' });
          stores.store([shared]);
          stores.producerCommit();
          yield* stores.producerTail();
          yield* turns.arrive();

          yield* items.more(); // the tile of the other group
          return advance(state, kTiles * (GROUPS - 1));
        });
      });

    return [load, math(0), math(1)];
  },
);
