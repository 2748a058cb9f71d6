// A slot of the input ring holds the output of a task at its end, and the load warp waits for the
// store of that output at a fixed step of the next task.
// A fused all-gather and GEMM. The step at which the slot is loaded again is the fixed one only if
// the steps of a task are a multiple of the stages; for other shapes the wait comes too late, and a
// TMA load overwrites the output of the task before, which its store still reads.
// The fix: wait at the start of each task.
// https://github.com/uccl-project/mKernel/pull/18
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  fence,
  integer,
  kernel,
  pipeline,
  role,
  tma,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const OUTPUT = 1; // the slot that the output uses, and the step that was fixed

const defaults = { fixed: false, tasks: 2, steps: integer(3, { min: 1 }) };

export default kernel('allgather-gemm', defaults, ({ fixed, tasks, steps }) => {
  const input = pipeline('input', { stages: 2, bytes: 16_384 });
  const [output] = input.buffers(OUTPUT);
  const stored = barrier('stored');

  const load = role('load', { lanes: 32 }, function* () {
    for (let task = 0; task < tasks; task++) {
      if (fixed) yield* wait(stored, task - 1);
      for (let step = 0; step < steps; step++) {
        if (!fixed && step === OUTPUT) yield* wait(stored, task - 1);
        using slot = yield* input.produce();
        tma.load(slot);
      }
    }
    yield* input.drain();
  });

  const math = role('math', { lanes: 128 }, function* () {
    for (let task = 0; task < tasks; task++) {
      for (let step = 0; step < steps; step++) {
        using tile = yield* input.consumeExplicit();
        asyncUse(UNITS.wgmma, { reads: tile.buffers, group: true });
        yield* waitGroup(UNITS.wgmma, 0);
        arrive(tile.mbar());
      }
      write(output!);
      fence('proxy.async');
      asyncCopy(UNITS.bulk, { reads: [output!], group: true });
      yield* waitGroup(UNITS.bulk, 0);
      arrive(stored);
    }
  });

  return [load, math];
});
