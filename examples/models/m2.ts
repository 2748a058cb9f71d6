// m2: load → mma → epilogue over two rings and TMEM; the twin of models/m2.pml.
//
// Shows: three roles and two asynchronous engines. Copies fill S1 input stages; the tensor core
// works through K steps for each of T tiles in the order of issue, and its commits free the inputs
// and publish one of S2 accumulators. TMEM is freed after a last handshake, over `fin`.
// Unlike m1a, who signals is often an engine and not a role; and rounds are loops, so that
// --every T proves it for every number of tiles.
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
  count,
  end,
  free,
  invalidate,
  kernel,
  loop,
  pool,
  read,
  relinquish,
  role,
  UNITS,
  waitGroup,
  waitParity,
  type Buffer,
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

/** The stage and the parity of a ring after `steps` steps, counted modulo two laps. */
const at = (steps: number, stages: number): [number, number] => {
  return [steps % stages, Math.floor(steps / stages)];
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
  const tiles = count(T);

  const load = role('load', function* () {
    yield* loop(0, function* (before) {
      if (!(yield* tiles.more())) return end(0);
      let [s, p] = at(before, S1);
      p = 1 - p;
      for (let k = 0; k < K; k++) {
        yield* waitParity(empty[s]!, p);
        arrive(full[s]!, { bytes: 1 });
        asyncCopy(UNITS.tma, { into: [slot[s]!], bar: full[s]!, bytes: 1 });
        s = (s + 1) % S1;
        if (s === 0) p = 1 - p;
      }
      return (before + K) % (2 * S1);
    });
  });

  const mma = role('mma', function* () {
    const acc: Buffer[] = [];
    while (acc.length < S2) acc.push(yield* alloc(tmem, 1));
    relinquish(tmem);
    yield* loop({ k: 0, a: 0, pa: AEINIT }, function* ({ k: before, a, pa }) {
      if (!(yield* tiles.more())) return end(0);
      let [s, p] = at(before, S1);
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
      const next = (a + 1) % S2;
      const flips = next === 0 && !bug.BUG_AFLIP;
      return { k: (before + K) % (2 * S1), a: next, pa: flips ? 1 - pa : pa };
    });
    if (!bug.BUG_DEALLOC) yield* waitParity(fin, 0); // the epilogue has read the last accumulator
    for (const one of acc) free(one);
    invalidate(fin);
  });

  const epilogue = role('epilogue', function* () {
    yield* loop(0, function* (before) {
      if (!(yield* tiles.more())) return end(0);
      const [a, p] = at(before, S2);
      yield* waitParity(accFull[a]!, p);
      if (bug.BUG_EARLY) arrive(accEmpty[a]!);
      read(tmem.buffers[a]!);
      if (!bug.BUG_EARLY) arrive(accEmpty[a]!);
      if (bug.BUG_DOUBLE) arrive(accEmpty[a]!);
      return (before + 1) % (2 * S2);
    });
    arrive(fin);
  });

  return [load, mma, epilogue];
});
