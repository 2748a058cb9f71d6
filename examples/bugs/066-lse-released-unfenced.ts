// Of two rows of statistics that TMA loads, one is given back without the fence that the other has.
// FlashAttention, backward on Blackwell: TMA loads LSE and dPsum, the compute warps read them with
// ordinary loads and arrive at their empty barriers. dS is stored to shared memory and fenced
// before dPsum is released, so its reads are fenced, too; LSE is released before that, and its
// reads are not.
// The fix: fence_view_async_shared before the barrier that comes before the release of LSE. (That
// both rows are of one array, stats, is modeled: `check` compares reuses of one array or ring.)
// https://github.com/Dao-AILab/flash-attention/commit/d91ea94f
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  read,
  role,
  UNITS,
  wait,
  write,
} from 'poundlock';

const ROW_BYTES = 512;

export default kernel('bwd-sm100', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const rowOf = (name: string, at: number) => ({
    row: buffer(`stats[${at}]`, { bytes: ROW_BYTES }),
    full: barrier(`${name}.full`),
    empty: barrier(`${name}.empty`),
  });
  const [lse, dPsum] = [rowOf('LSE', 0), rowOf('dPsum', 1)];
  const dS = buffer('dS', { bytes: 32_768 });
  const dQ = buffer('dQ', { space: 'tmem' });
  const [dSFull, dSEmpty] = [barrier('dS.full'), barrier('dS.empty')];

  const load = role('load', function* () {
    for (let block = 0; block < blocks; block++) {
      for (const { row, full, empty } of [lse, dPsum]) {
        yield* wait(empty, block - 1);
        arrive(full, { bytes: ROW_BYTES });
        asyncCopy(UNITS.tma, { into: [row], bar: full, bytes: ROW_BYTES });
      }
    }
  });

  const compute = role('compute', { lanes: 128 }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(lse.full, block);
      read(lse.row); // P = exp(S - LSE)
      if (fixed) fence('proxy.async', { space: 'shared' });
      arrive(lse.empty);
      yield* wait(dPsum.full, block);
      read(dPsum.row); // dS = P (dP - dPsum)
      yield* wait(dSEmpty, block - 1);
      write(dS);
      fence('proxy.async', { space: 'shared' });
      arrive(dPsum.empty);
      arrive(dSFull);
    }
  });

  const mma = role('mma', function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(dSFull, block);
      asyncUse(UNITS.tcgen05, { reads: [dS], writes: [dQ] });
      commit(UNITS.tcgen05, dSEmpty);
    }
    yield* wait(dSEmpty, blocks - 1);
  });

  return [load, compute, mma];
});
