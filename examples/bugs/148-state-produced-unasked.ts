// The producer counts the stages of its state without waiting for them: the second state overwrites
// the first one, which the product may still read. The fix: it acquires the stage.
// https://github.com/mlc-ai/TIRx-kernels/pull/19
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  UNITS,
  wait,
  write,
} from 'poundlock';

export default kernel('gdn-prefill', { fixed: false, chunks: 2 }, ({ fixed, chunks }) => {
  const state = buffer('state', { bytes: 1024 });
  const [full, empty] = [barrier('full'), barrier('empty')];
  return [
    role('compute group', { lanes: 1 }, function* () {
      for (let chunk = 0; chunk < chunks; chunk++) {
        if (fixed) yield* wait(empty, chunk - 1);
        write(state);
        fence('proxy.async');
        arrive(full);
      }
    }),
    role('mma', { lanes: 1 }, function* () {
      for (let chunk = 0; chunk < chunks; chunk++) {
        yield* wait(full, chunk);
        asyncUse(UNITS.tcgen05, { reads: [state] });
        commit(UNITS.tcgen05, empty);
      }
      yield* wait(empty, chunks - 1);
    }),
  ];
});
