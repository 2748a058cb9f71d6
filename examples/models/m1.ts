// m1: one producer, one consumer, a ring of S stages for T tiles; the twin of models/m1.pml.
//
// Shows: the bare protocol in raw parity form, as transcribed code has it, with its classic bugs.
// Unlike m1a, the producer writes the slots itself; and rounds are loops, so that --every T proves
// it for every number of tiles.
//
//   role      waits for           signals
//   producer  empty[s] parity p   full[s]
//   consumer  full[s]  parity p   empty[s], ECNT arrivals complete a phase
import {
  arrive,
  barrier,
  buffer,
  cell,
  count,
  end,
  exit,
  kernel,
  load,
  loop,
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

/** Where a role is: the number of its tile, the stage of the ring, and the parity to wait for. */
interface Place {
  readonly t: number;
  readonly s: number;
  readonly p: number;
}

export default kernel('m1', defaults, ({ S, T, ECNT, PINIT, CINIT, ...bug }) => {
  const stages = Array.from({ length: S }, (_, s) => s);
  const full = stages.map((s) => barrier(`full[${s}]`));
  const empty = stages.map((s) => barrier(`empty[${s}]`, { count: ECNT }));
  const slot = stages.map((s) => buffer(`slot[${s}]`));
  // A consumer that waits for wrong phases can read the wrong tile of a slot that is not written at
  // that time, which is no race. Only then do the slots carry the number of their tile.
  const carriesTile = CINIT !== 0 || bug.BUG_CFLIP;
  const tile = (carriesTile ? stages : []).map((s) => cell(`tile[${s}]`, NO_TILE));
  const awaited = barrier('the tile that was awaited');

  const tiles = count(T);

  /** The state of the round of the next tile; with its number, if the slots carry numbers. */
  const next = ({ t, s, p }: Place, flips: boolean): Place => {
    const lap = s + 1 === S;
    return { t: carriesTile ? t + 1 : t, s: lap ? 0 : s + 1, p: lap && flips ? 1 - p : p };
  };

  const producer = role('producer', function* () {
    let at = yield* loop<Place, Place>({ t: 0, s: 0, p: PINIT }, function* (place) {
      if (!(yield* tiles.more())) return end(place);
      const { t, s, p } = place;
      yield* waitParity(empty[s]!, p);
      write(slot[s]!);
      if (carriesTile) store(tile[s]!, t);
      arrive(full[s]!);
      return next(place, !bug.BUG_PFLIP);
    });
    for (let k = 0; k < S && !bug.BUG_NODRAIN; k++) {
      yield* waitParity(empty[at.s]!, at.p);
      at = next(at, true);
    }
    exit(); // the stages and barriers are gone from here on
  });

  const consumer = role('consumer', function* () {
    yield* loop<Place, Place>({ t: 0, s: 0, p: CINIT }, function* (place) {
      if (!(yield* tiles.more())) return end(place);
      const { t, s, p } = place;
      yield* waitParity(full[s]!, p);
      if (bug.BUG_EARLY) arrive(empty[s]!);
      // Another tile: the parity has let the consumer through for the wrong phase, a false pass.
      if (carriesTile && (yield* load(tile[s]!)) !== t) yield* wait(awaited, 1);
      read(slot[s]!);
      if (bug.BUG_DOUBLE) arrive(empty[s]!);
      // The forgetful consumer skips the last stage of the ring; it takes no notice of BUG_EARLY.
      const releases = bug.BUG_NOARRIVE ? s !== S - 1 : !bug.BUG_EARLY;
      if (releases) arrive(empty[s]!);
      return next(place, !bug.BUG_CFLIP);
    });
  });

  return [producer, consumer];
});
