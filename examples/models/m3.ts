// m3: P producers fill a stage together, C consumers read all of it; the twin of models/m3.pml.
//
// Shows: arrival counts. A stage is full after FCNT arrivals and empty after ECNT; both are right
// only when they equal the number of those who arrive. Once all producers have ended, one of them
// tears down.
// Unlike m1, several roles arrive in one phase, in any order.
//
//   role         waits for           works on            signals
//   producer<n>  empty[s] parity p   writes part[s][n]   full[s], FCNT arrivals complete a phase
//   consumer<n>  full[s]  parity p   reads every part    empty[s], ECNT arrivals complete a phase
import {
  arrive,
  barrier,
  buffer,
  exit,
  join,
  kernel,
  read,
  role,
  waitParity,
  write,
} from 'poundlock';

const defaults = {
  S: 2,
  T: 4,
  P: 1,
  C: 2,
  ECNT: (p: { C: number }) => p.C,
  FCNT: (p: { P: number }) => p.P,
  BUG_DOUBLE: false,
  BUG_NOARRIVE: false,
};

export default kernel('m3', defaults, ({ S, T, P, C, ECNT, FCNT, ...bug }) => {
  const stages = Array.from({ length: S }, (_, s) => s);
  const producers = Array.from({ length: P }, (_, n) => n);
  const full = stages.map((s) => barrier(`full[${s}]`, { count: FCNT }));
  const empty = stages.map((s) => barrier(`empty[${s}]`, { count: ECNT }));
  const part = stages.map((s) => producers.map((n) => buffer(`part[${s}][${n}]`)));

  const producer = (n: number) =>
    role(`producer${n}`, function* () {
      let [s, p] = [0, 1];
      for (let t = 0; t < T; t++) {
        yield* waitParity(empty[s]!, p);
        write(part[s]![n]!);
        arrive(full[s]!);
        s = (s + 1) % S;
        if (s === 0) p = 1 - p;
      }
      for (let k = 0; k < S; k++) {
        yield* waitParity(empty[s]!, p);
        s = (s + 1) % S;
        if (s === 0) p = 1 - p;
      }
      if (n > 0) return;
      for (const other of producers.slice(1)) yield* join(other);
      exit(); // the stages and barriers are gone from here on
    });

  const consumer = (n: number) =>
    role(`consumer${n}`, function* () {
      let [s, p] = [0, 0];
      for (let t = 0; t < T; t++) {
        yield* waitParity(full[s]!, p);
        for (const from of part[s]!) read(from);
        if (bug.BUG_DOUBLE && n === 0) arrive(empty[s]!);
        const forgets = bug.BUG_NOARRIVE && n === C - 1 && t === T - 1;
        if (!forgets) arrive(empty[s]!);
        s = (s + 1) % S;
        if (s === 0) p = 1 - p;
      }
    });

  return [...producers.map(producer), ...Array.from({ length: C }, (_, n) => consumer(n))];
});
