// The next answer of the cluster launch control can overwrite the last one while it is read.
// try_cancel writes its 16 bytes through the async proxy, and the query decodes them from registers
// after an ordinary ld.shared. The consumer arrived at the empty barrier right after the query.
// The fix: one fence.proxy.async.shared::cta after each query, as CUTLASS has it; the PTX manual
// shows a pair of directed fences there. `check` asks for it only with --memory isa.
// https://github.com/facebookexperimental/triton/pull/1723
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  read,
  role,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 16;
const CONSUMERS = ['mma', 'epilogue'];

export default kernel('clc-loop', { fixed: false, tiles: 3 }, ({ fixed, tiles }) => {
  const response = buffer('response', { bytes: BYTES });
  const full = barrier('clcFull');
  const empty = barrier('clcEmpty', { count: CONSUMERS.length + 1 });

  /** Reads the answer and gives its place back. */
  const query = (): void => {
    read(response);
    if (fixed) fence('proxy.async', { space: 'shared' });
    arrive(empty);
  };

  const scheduler = role('load', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(empty, tile - 1);
      arrive(full, { bytes: BYTES });
      asyncCopy(UNITS.clc, { into: [response], bar: full, bytes: BYTES });
      yield* wait(full, tile);
      query();
    }
  });

  const consumer = (name: string) =>
    role(name, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        yield* wait(full, tile);
        query();
      }
    });

  return [scheduler, ...CONSUMERS.map((name) => consumer(name))];
});
