// The store partition takes the subtiles of an accumulator in another order than the epilogue
// writes them.
// A compiler pass reordered the stores. With fewer buffers than subtiles, the epilogue waits for
// the release of a subtile that the store partition wants only later, after one that the epilogue
// has yet to write: a persistent GEMM hangs.
// The fix: stores from one buffer keep the order in which it is written.
// https://github.com/facebookexperimental/triton/pull/1485
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  fence,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const SUBTILES = 4;
const AS_WRITTEN = [0, 1, 2, 3];
const AS_REORDERED = [1, 3, 0, 2];

const defaults = { fixed: false, buffers: 2, tiles: 1 };

export default kernel('subtiled-epilogue', defaults, ({ fixed, buffers, tiles }) => {
  const ring = Array.from({ length: buffers }, (_, b) => ({
    full: barrier(`full[${b}]`),
    empty: barrier(`empty[${b}]`),
    staging: buffer(`staging[${b}]`),
  }));
  const at = (tile: number, subtile: number) => {
    const index = tile * SUBTILES + subtile;
    return { ...ring[index % buffers]!, phase: Math.floor(index / buffers) };
  };

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (const subtile of AS_WRITTEN) {
        const { full, empty, staging, phase } = at(tile, subtile);
        yield* wait(empty, phase - 1);
        write(staging);
        fence('proxy.async');
        arrive(full);
      }
    }
  });

  const store = role('store', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (const subtile of fixed ? AS_WRITTEN : AS_REORDERED) {
        const { full, empty, staging, phase } = at(tile, subtile);
        yield* wait(full, phase);
        asyncUse(UNITS.bulk, { reads: [staging], group: true });
        yield* waitGroup(UNITS.bulk, 0);
        arrive(empty);
      }
    }
  });

  return [epilogue, store];
});
