import { arrive, asyncCopy, asyncUse, barrier, buffer, commit, expectTx } from 'poundlock';
import { kernel, role, UNITS, waitParity } from 'poundlock';

export default kernel('tilelang', { tiles: 5 }, ({ tiles }) => {
  const stages = 2;
  const loaded = [0, 1].map((i) => barrier(`loaded[${i}]`, { count: 32 })); // T.alloc_barrier([32] * 2)
  const consumed = [0, 1].map((i) => barrier(`consumed[${i}]`, { count: 1 }));
  const shared = [0, 1].map((i) => buffer(`shared[${i}]`));
  const accumulator = buffer('C_tmem');
  const parityOf = (k: number) => Math.floor(k / stages) & 1;

  const load = role('tma', { lanes: 32 }, function* () {
    for (let k = 0; k < tiles; k++) {
      const [full, at] = [loaded[k % stages]!, shared[k % stages]!];
      yield* waitParity(consumed[k % stages]!, parityOf(k) ^ 1); // T.mbarrier_wait_parity
      expectTx(full, 16_384); // T.tma_copy(…, barrier=loaded[…]) expects …
      asyncCopy(UNITS.tma, { into: [at], bar: full, bytes: 16_384 }); // … and copies
      arrive(full, { everyLane: true }); // T.mbarrier_arrive(loaded[…])
    }
  });
  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let k = 0; k < tiles; k++) {
      yield* waitParity(loaded[k % stages]!, parityOf(k));
      asyncUse(UNITS.mma, { reads: [shared[k % stages]!], writes: [accumulator] }); // T.tcgen05_gemm(
      commit(UNITS.mma, consumed[k % stages]!); // … mbar=consumed[…])
    }
  });
  return [load, multiply];
});
