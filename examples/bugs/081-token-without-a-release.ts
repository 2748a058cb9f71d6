// Three results share a slot of tensor memory, and the writer of the third waits for a token that
// the reader of the second never releases.
// Attention backward: dP, dS and dQ use one slot in turn; dK reads dS there. The compiler guarded
// the slot before dQ by a token between tasks. But dK is an MMA, which signals its completion on an
// mbarrier of its own and not on the token: the kernel hangs. (The thread has a second bug, dQ
// written before dK has read dS: one unit in order, and hence no race but a wrong value.)
// The fix: wait for the barrier that the MMA of dK completes.
// https://github.com/facebookexperimental/triton/pull/1851
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const SLOT = { space: 'tmem', at: 0, bytes: 128 * 512 } as const;

export default kernel('fa-backward-reuse', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const [dP, dS, dQ] = [buffer('dP', SLOT), buffer('dS', SLOT), buffer('dQ', SLOT)];
  const dK = buffer('dK', { space: 'tmem', at: 256 * 512, bytes: 128 * 512 });
  const [dPFull, dSFull, dQFull] = [barrier('dp_full'), barrier('ds_full'), barrier('dq_full')];
  const dQEmpty = barrier('dq_empty');
  const token = barrier('ds_token_empty');
  const dKDone = barrier('dk_done');

  const mma = role('mma', { lanes: 32 }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(dQEmpty, block - 1);
      asyncUse(UNITS.tcgen05, { writes: [dP] });
      commit(UNITS.tcgen05, dPFull);
      yield* wait(dSFull, block);
      asyncUse(UNITS.tcgen05, { reads: [dS], writes: [dK] });
      commit(UNITS.tcgen05, dKDone);
      yield* wait(fixed ? dKDone : token, block);
      asyncUse(UNITS.tcgen05, { writes: [dQ] });
      commit(UNITS.tcgen05, dQFull);
    }
    yield* wait(dQEmpty, blocks - 1);
  });

  const compute = role('compute', { lanes: 256 }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(dPFull, block);
      asyncUse(UNITS.tcgen05Ld, { reads: [dP] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      asyncUse(UNITS.tcgen05St, { writes: [dS] });
      yield* waitGroup(UNITS.tcgen05St, 0);
      arrive(dSFull);
    }
  });

  const reduce = role('reduce', { lanes: 128 }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(dQFull, block);
      asyncUse(UNITS.tcgen05Ld, { reads: [dQ] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      arrive(dQEmpty);
    }
  });

  return [mma, compute, reduce];
});
