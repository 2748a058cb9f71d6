// m1a: one producer, one consumer, slots that are filled by copies; the twin of models/m1a.pml.
//
// Shows: transaction bytes. A stage is full when the producer has arrived *and* NOP copies, one
// unit of bytes each, have landed in whatever order; EXPECT is what the producer announces.
// Unlike m1, the producer itself writes nothing.
//
//   role      waits for           works on                     signals
//   producer  empty[s] parity p   starts NOP copies into s     full[s], EXPECT bytes
//   (tma)                         part[s][i]                   full[s], one unit of bytes
//   consumer  full[s]  parity p   reads the NOP parts          empty[s]
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  exit,
  expectTx,
  kernel,
  read,
  role,
  UNITS,
  waitParity,
} from 'poundlock';

const defaults = {
  S: 2,
  T: 4,
  NOP: 2,
  EXPECT: (p: { NOP: number }) => p.NOP,
  PINIT: 1,
  BUG_LATE_EXPECT: false,
  BUG_NODRAIN: false,
};

export default kernel('m1a', defaults, ({ S, T, NOP, EXPECT, PINIT, ...bug }) => {
  const stages = Array.from({ length: S }, (_, s) => s);
  const parts = Array.from({ length: NOP }, (_, i) => i);
  const full = stages.map((s) => barrier(`full[${s}]`));
  const empty = stages.map((s) => barrier(`empty[${s}]`));
  const part = stages.map((s) => parts.map((i) => buffer(`part[${s}][${i}]`)));

  const producer = role('producer', function* () {
    let [s, p] = [0, PINIT];
    for (let t = 0; t < T; t++) {
      yield* waitParity(empty[s]!, p);
      if (!bug.BUG_LATE_EXPECT) arrive(full[s]!, { bytes: EXPECT });
      for (const into of part[s]!) asyncCopy(UNITS.tma, { into: [into], bar: full[s]!, bytes: 1 });
      if (bug.BUG_LATE_EXPECT) {
        arrive(full[s]!);
        expectTx(full[s]!, EXPECT);
      }
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
    for (let k = 0; k < S && !bug.BUG_NODRAIN; k++) {
      yield* waitParity(empty[s]!, p);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
    exit(); // the stages and barriers are gone from here on
  });

  const consumer = role('consumer', function* () {
    let [s, p] = [0, 0];
    for (let t = 0; t < T; t++) {
      yield* waitParity(full[s]!, p);
      for (const from of part[s]!) read(from);
      arrive(empty[s]!);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
  });

  return [producer, consumer];
});
