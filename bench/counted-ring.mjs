// The correct ring of examples/models/m1.ts with plain `for` loops, which must be unrolled.
import {
  arrive,
  barrier,
  buffer,
  exit,
  kernel,
  read,
  role,
  waitParity,
  write,
} from '../packages/poundlock/dist/public.js';

export default kernel('counted-ring', { S: 2, T: 4 }, ({ S, T }) => {
  const stages = Array.from({ length: S }, (_, s) => s);
  const full = stages.map((s) => barrier(`full[${s}]`));
  const empty = stages.map((s) => barrier(`empty[${s}]`));
  const slot = stages.map((s) => buffer(`slot[${s}]`));

  const producer = role('producer', function* () {
    let [s, p] = [0, 1];
    for (let t = 0; t < T; t++) {
      yield* waitParity(empty[s], p);
      write(slot[s]);
      arrive(full[s]);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
    for (let k = 0; k < S; k++) {
      yield* waitParity(empty[s], p);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
    exit();
  });

  const consumer = role('consumer', function* () {
    let [s, p] = [0, 0];
    for (let t = 0; t < T; t++) {
      yield* waitParity(full[s], p);
      read(slot[s]);
      arrive(empty[s]);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
  });

  return [producer, consumer];
});
