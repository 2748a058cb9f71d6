// m1: one producer, one consumer, a ring of S stages for T tiles; the twin of models/m1.pml.
//
// Shows: the bare protocol in raw parity form, as transcribed code has it, with its classic bugs.
// Unlike m1a, the producer writes the slots itself.
//
//   role      waits for           signals
//   producer  empty[s] parity p   full[s]
//   consumer  full[s]  parity p   empty[s], ECNT arrivals complete a phase
import {
  arrive,
  barrier,
  buffer,
  cell,
  exit,
  kernel,
  load,
  read,
  role,
  store,
  wait,
  waitParity,
  write,
} from 'poundlock';

const defaults = {
  S: 2,
  T: 4,
  ECNT: 1,
  PINIT: 1,
  CINIT: 0,
  BUG_EARLY: false,
  BUG_DOUBLE: false,
  BUG_NOARRIVE: false,
  BUG_NODRAIN: false,
  BUG_PFLIP: false,
  BUG_CFLIP: false,
};

const NO_TILE = -1;

export default kernel('m1', defaults, ({ S, T, ECNT, PINIT, CINIT, ...bug }) => {
  const stages = Array.from({ length: S }, (_, s) => s);
  const full = stages.map((s) => barrier(`full[${s}]`));
  const empty = stages.map((s) => barrier(`empty[${s}]`, { count: ECNT }));
  const slot = stages.map((s) => buffer(`slot[${s}]`));
  // A consumer that waits for wrong phases can read the wrong tile of a slot that nobody writes at
  // that time, which is no race. Only then do the slots carry the number of their tile.
  const carriesTile = CINIT !== 0 || bug.BUG_CFLIP;
  const tile = stages.map((s) => cell(`tile[${s}]`, NO_TILE));
  const awaited = barrier('the tile that was awaited');

  const producer = role('producer', function* () {
    let [s, p] = [0, PINIT];
    for (let t = 0; t < T; t++) {
      yield* waitParity(empty[s]!, p);
      write(slot[s]!);
      if (carriesTile) store(tile[s]!, t);
      arrive(full[s]!);
      s = (s + 1) % S;
      if (s === 0 && !bug.BUG_PFLIP) p = 1 - p;
    }
    for (let k = 0; k < S && !bug.BUG_NODRAIN; k++) {
      yield* waitParity(empty[s]!, p);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
    exit(); // the stages and barriers are gone from here on
  });

  const consumer = role('consumer', function* () {
    let [s, p] = [0, CINIT];
    for (let t = 0; t < T; t++) {
      yield* waitParity(full[s]!, p);
      if (bug.BUG_EARLY) arrive(empty[s]!);
      // Another tile: the parity has let the consumer through for the wrong phase, a false pass.
      if (carriesTile && (yield* load(tile[s]!)) !== t) yield* wait(awaited, 1);
      read(slot[s]!);
      if (bug.BUG_DOUBLE) arrive(empty[s]!);
      // The forgetful consumer skips the last stage of the ring; it takes no notice of BUG_EARLY.
      const releases = bug.BUG_NOARRIVE ? s !== S - 1 : !bug.BUG_EARLY;
      if (releases) arrive(empty[s]!);
      s = (s + 1) % S;
      if (s === 0 && !bug.BUG_CFLIP) p = 1 - p;
    }
  });

  return [producer, consumer];
});
