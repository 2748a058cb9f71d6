// A persistent GEMM uses the accumulator at the end of a tile while its last wgmma still runs.
// With an operand in registers, a compiler splits a product into several wgmma on one accumulator
// and leaves out the waits between them. The special case skipped the wait before other uses of the
// accumulator as well, such as an epilogue inside the loop over K.
// The fix: leave out the wait only where the next use is another wgmma.
// https://github.com/triton-lang/triton/pull/8964
import {
  arrive,
  asyncUse,
  buffer,
  kernel,
  pipeline,
  read,
  role,
  tma,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const SPLITS = 2; // wgmma of one product
const defaults = { fixed: false, tiles: 2, steps: 2 };

export default kernel('moe-matmul', defaults, ({ fixed, tiles, steps }) => {
  const b = pipeline('b', { stages: 2, bytes: 16_384 });
  const parts = Array.from({ length: SPLITS }, (_, n) => buffer(`a[${n}]`, { space: 'registers' }));
  const accumulator = buffer('accumulator', { space: 'registers' });

  const load = role('load', { lanes: 32 }, function* () {
    for (let step = 0; step < tiles * steps; step++) {
      using slot = yield* b.produce();
      tma.load(slot);
    }
    yield* b.drain();
  });

  const math = role('math', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (let step = 0; step < steps; step++) {
        using found = yield* b.consumeExplicit();
        for (const part of parts) {
          yield* waitGroup(UNITS.wgmma, SPLITS - 1); // the one that reads this fragment
          write(part);
          const operands = { reads: [part, found.buffer()], writes: [accumulator] };
          asyncUse(UNITS.wgmma, { ...operands, group: true });
        }
        if (step === steps - 1) {
          if (fixed) yield* waitGroup(UNITS.wgmma, 0);
          read(accumulator);
        }
        yield* waitGroup(UNITS.wgmma, 0);
        arrive(found.mbar());
      }
    }
  });

  return [load, math];
});
