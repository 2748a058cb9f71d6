// A multicast copy waits with the parity of the loop around it, and each round passes another
// barrier.
// The copy expects its bytes, arrives and waits in one operation. Its parity is right where every
// round uses the same barrier. With one barrier for each round, the second round waits for parity 1
// of a fresh barrier, passes at once, and reads what has not landed.
// The fix here: a parity that follows the barrier that is passed.
// https://github.com/tile-ai/tilelang/issues/2927
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncCluster,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 8192;
const CLUSTER = [0, 1];

export default kernel('copy-cluster', { fixed: false, slices: 2 }, ({ fixed, slices }) => {
  const landed = Array.from({ length: slices }, (_, s) => barrier(`landed[${s}]`));
  const slice = Array.from({ length: slices }, (_, s) => buffer(`slice[${s}]`));

  const copy = (cta: number) =>
    role(`copy${cta}`, { cta }, function* () {
      for (let s = 0; s < slices; s++) {
        const [bar, into] = [landed[s]!, [slice[s]!]];
        arrive(bar, { bytes: BYTES });
        if (cta === 0) asyncCopy(UNITS.tma, { into, bar, bytes: BYTES, ctas: CLUSTER });
        yield* wait(bar, fixed ? 0 : s);
        read(slice[s]!);
      }
      yield* syncCluster();
    });

  return CLUSTER.map(copy);
});
