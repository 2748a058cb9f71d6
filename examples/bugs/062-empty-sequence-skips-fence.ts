// The only fence before the final TMA store is inside a loop that an empty sequence skips.
// FlashKDA keeps its state in shared memory, starts it at zero with ordinary stores, and fences in
// every iteration before it passes the state on. For a sequence of no tiles (they occur in batches
// of varying lengths) no fence follows the zeros, and the TMA store of the state can read what was
// there before. A second path, the conversion of the state to FP32, had a barrier and no fence.
// The fix: the threads that wrote fence before the barrier.
// https://github.com/MoonshotAI/FlashKDA/issues/24
import {
  asyncCopy,
  buffer,
  fence,
  integer,
  kernel,
  namedBarrier,
  pipeline,
  read,
  role,
  syncNamed,
  tma,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const MATH_THREADS = 128;
const STORE_THREADS = 32;

// Sequences without a tile occur: 0 is a size of this kernel.
const tiles = integer(1, { min: 0 });

export default kernel('kda-forward', { fixed: false, tiles }, ({ fixed, tiles }) => {
  const qkv = pipeline('qkv', { stages: 2, bytes: 24_576 });
  const state = buffer('state', { bytes: 32_768 });
  const done = namedBarrier('done', { id: 1, threads: MATH_THREADS + STORE_THREADS });

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* qkv.produce();
      tma.load(slot);
    }
    yield* qkv.drain();
  });

  const math = role('math', { lanes: MATH_THREADS }, function* () {
    write(state); // zeros: there is no initial state
    for (let tile = 0; tile < tiles; tile++) {
      using input = yield* qkv.consumeExplicit();
      read(input.buffer());
      read(state);
      write(state);
      fence('proxy.async', { space: 'shared' });
      input.arrive({ lanes: 1 });
    }
    if (fixed) fence('proxy.async', { space: 'shared' });
    yield* syncNamed(done);
  });

  const store = role('store', { lanes: STORE_THREADS }, function* () {
    yield* syncNamed(done);
    asyncCopy(UNITS.bulk, { reads: [state], group: true });
    yield* waitGroup(UNITS.bulk, 0);
  });

  return [load, math, store];
});
