// m2: load → mma → epilogue over two rings and TMEM; the twin of models/m2.pml.
//
// Shows: three roles and two asynchronous engines. Copies fill S1 input stages; the tensor core
// works through K steps for each of T tiles in the order of issue, and its commits free the inputs
// and publish one of S2 accumulators. TMEM is freed after a last handshake, over `fin`.
// Unlike m1a, who signals is often an engine and not a role.
//
//   role      waits for                          works on                 signals
//   load      empty[s]                           starts a copy into s     full[s], its bytes
//   mma       accEmpty[a], then K times full[s]  issues a step on s, a    commits empty[s] each
//                                                                         step, accFull[a] each tile
//   epilogue  accFull[a]                         reads accumulator a      accEmpty[a]; fin at last
//   mma       fin                                frees TMEM, ends fin
import {
  alloc,
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  free,
  invalidate,
  kernel,
  pool,
  read,
  role,
  UNITS,
  waitGroup,
  waitParity,
} from 'poundlock';

const defaults = {
  S1: 2,
  S2: 2,
  T: 2,
  K: 2,
  Q: (p: { S1: number }) => p.S1 + 2,
  AEINIT: 1,
  FINCNT: 1,
  BUG_NOCOMMIT: false,
  BUG_AFLIP: false,
  BUG_DEALLOC: false,
  BUG_EARLY: false,
  BUG_DOUBLE: false,
};

export default kernel('m2', defaults, ({ S1, S2, T, K, Q, AEINIT, FINCNT, ...bug }) => {
  const inputs = Array.from({ length: S1 }, (_, s) => s);
  const accumulators = Array.from({ length: S2 }, (_, a) => a);
  const full = inputs.map((s) => barrier(`full[${s}]`));
  const empty = inputs.map((s) => barrier(`empty[${s}]`));
  const slot = inputs.map((s) => buffer(`slot[${s}]`));
  const accFull = accumulators.map((a) => barrier(`accFull[${a}]`));
  const accEmpty = accumulators.map((a) => barrier(`accEmpty[${a}]`));
  const tmem = pool('tmem', { capacity: S2, buffers: S2 });
  const fin = barrier('fin', { count: FINCNT });

  const load = role('load', function* () {
    let [s, p] = [0, 1];
    for (let t = 0; t < T * K; t++) {
      yield* waitParity(empty[s]!, p);
      arrive(full[s]!, { bytes: 1 });
      asyncCopy(UNITS.tma, { into: [slot[s]!], bar: full[s]!, bytes: 1 });
      s = (s + 1) % S1;
      if (s === 0) p = 1 - p;
    }
  });

  const mma = role('mma', function* () {
    const acc = [];
    while (acc.length < S2) acc.push(yield* alloc(tmem, 1));
    let [s, p] = [0, 0];
    let [a, pa] = [0, AEINIT];
    for (let t = 0; t < T; t++) {
      yield* waitParity(accEmpty[a]!, pa);
      for (let k = 0; k < K; k++) {
        yield* waitParity(full[s]!, p);
        yield* waitGroup(UNITS.mma, Q);
        asyncUse(UNITS.mma, { reads: [slot[s]!], writes: [acc[a]!], group: true });
        const forgets = bug.BUG_NOCOMMIT && k === K - 1;
        if (!forgets) commit(UNITS.mma, empty[s]!);
        s = (s + 1) % S1;
        if (s === 0) p = 1 - p;
      }
      commit(UNITS.mma, accFull[a]!);
      a = (a + 1) % S2;
      if (a === 0 && !bug.BUG_AFLIP) pa = 1 - pa;
    }
    if (!bug.BUG_DEALLOC) yield* waitParity(fin, 0); // the epilogue has read the last accumulator
    for (const one of acc) free(one);
    invalidate(fin);
  });

  const epilogue = role('epilogue', function* () {
    let [a, p] = [0, 0];
    for (let t = 0; t < T; t++) {
      yield* waitParity(accFull[a]!, p);
      if (bug.BUG_EARLY) arrive(accEmpty[a]!);
      read(tmem.buffers[a]!);
      if (!bug.BUG_EARLY) arrive(accEmpty[a]!);
      if (bug.BUG_DOUBLE) arrive(accEmpty[a]!);
      a = (a + 1) % S2;
      if (a === 0) p = 1 - p;
    }
    arrive(fin);
  });

  return [load, mma, epilogue];
});
