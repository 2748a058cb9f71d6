// Of the four warps of a warpgroup, the one that has nothing to do does not decrease its registers.
// A GEMM of QuACK on Blackwell that gathers A: the epilogue warpgroup goes up to 256 registers, the
// two other ones go down to 120. The warp that loads C is in the second of those, and its decrease
// stood under the condition that there is a matrix C. Without one, 10,752 registers were free and
// 11,264 wanted: the kernel hung.
// The fix: the decrease moved out of the condition.
// https://github.com/Dao-AILab/quack/commit/97c98dc
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  commitGroup,
  fence,
  kernel,
  registers,
  role,
  setMaxRegisters,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

// The warps of the third warpgroup: MMA, scheduler, load of B, and load of C.
const ALL_BUT_LOAD_C = { by: { warps: [0, 1, 2] } };

export default kernel('gemm-gather', { fixed: false, kTiles: 2 }, ({ fixed, kTiles }) => {
  registers({ perThread: 168, threads: 3 * 128 });
  const sA = buffer('sA', { bytes: 16_384 });
  const acc = buffer('acc', { space: 'tmem' });
  const [full, empty, accFull] = [barrier('full'), barrier('empty'), barrier('accFull')];

  const epilogue = role('epilogue', { warps: 4 }, function* () {
    yield* setMaxRegisters('inc', 256);
    yield* wait(accFull, 0);
    asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
    yield* waitGroup(UNITS.tcgen05Ld, 0);
  });

  const gather = role('gatherA', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 120);
    for (let k = 0; k < kTiles; k++) {
      yield* wait(empty, k - 1);
      asyncCopy(UNITS.cpAsync, { into: [sA] });
      commitGroup(UNITS.cpAsync);
      yield* waitGroup(UNITS.cpAsync, 0);
      fence('proxy.async', { space: 'shared' });
      arrive(full);
    }
  });

  const others = role('mma and others', { warps: 4 }, function* () {
    yield* setMaxRegisters('dec', 120, fixed ? {} : ALL_BUT_LOAD_C); // there is no C
    for (let k = 0; k < kTiles; k++) {
      yield* wait(full, k);
      asyncUse(UNITS.tcgen05, { reads: [sA], writes: [acc] });
      commit(UNITS.tcgen05, empty);
    }
    commit(UNITS.tcgen05, accFull);
    yield* wait(empty, kTiles - 1);
  });

  return [epilogue, gather, others];
});
