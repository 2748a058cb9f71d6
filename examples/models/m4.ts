// m4: a scheduler hands out 0 to T tiles, C consumers compete for them; the twin of models/m4.pml.
//
// Shows: claims. By default a consumer draws a ticket and then waits for the stage and the phase
// that follow from it, which aliases with more consumers than stages; with TRY it claims the next
// stage only once that is full. The scheduler learns tile by tile whether there is more, and at
// last publishes one end mark for every consumer.
// Unlike m3, every item goes to one consumer, and how many there are is open.
//
//   role         waits for                    works on                     signals
//   scheduler    queue.empty[s] parity p      a tile, or an end mark       queue.full[s]
//   consumer<n>  its ticket's, or with TRY    the item; stops at an end    queue.empty[s]
//                the next, queue.full[s]      mark
import {
  arrive,
  cell,
  choose,
  end,
  exit,
  fetchAdd,
  kernel,
  load,
  loop,
  pipeline,
  read,
  role,
  store,
  wait,
  waitParity,
  write,
  barrier,
  buffer,
} from 'poundlock';

const defaults = {
  S: 2,
  T: 4,
  C: 2,
  TRY: false,
  BUG_LOCALPHASE: false,
  BUG_SENTINEL: false,
  BUG_EARLY: false,
  BUG_PINIT: false,
};

/** What a slot holds: nothing yet, an end mark, or 1 + the number of a tile. */
const NOTHING = -1;
const END = 0;

export default kernel('m4', defaults, ({ S, T, C, TRY, ...bug }) => {
  const queue = pipeline('queue', { stages: S, advance: 'acquire' });
  const stages = Array.from({ length: S }, (_, s) => s);
  const full = stages.map((s) => queue.producerMbar(s));
  const empty = stages.map((s) => queue.consumerMbar(s));
  const slot = stages.map((s) => buffer(`slot[${s}]`));
  const item = stages.map((s) => cell(`item[${s}]`, NOTHING));
  const tickets = cell('tickets');
  const ownItem = barrier('the item of the ticket');
  const endMarks = bug.BUG_SENTINEL ? 1 : C;

  const scheduler = role('scheduler', function* () {
    const first = { t: 0, k: 0, s: 0, p: bug.BUG_PINIT ? 0 : 1 };
    const last = yield* loop(first, function* ({ t, k, s, p }) {
      if (k === endMarks) return end({ s, p });
      yield* waitParity(empty[s]!, p);
      const isTile = k === 0 && t < T && (yield* choose(2)) === 0;
      write(slot[s]!);
      store(item[s]!, isTile ? 1 + t : END);
      arrive(full[s]!);
      const next = (s + 1) % S;
      return { t: isTile ? t + 1 : t, k: isTile ? k : k + 1, s: next, p: next === 0 ? 1 - p : p };
    });
    let { s, p } = last;
    for (let k = 0; k < S; k++) {
      yield* waitParity(empty[s]!, p);
      s = (s + 1) % S;
      if (s === 0) p = 1 - p;
    }
    exit(); // the stages and barriers are gone from here on
  });

  const consumer = (n: number) =>
    role(`consumer${n}`, function* () {
      yield* loop({ s: 0, p: 0 }, function* (own) {
        let s: number;
        let ticket = -1;
        if (TRY) {
          const claimed = yield* queue.tryClaim();
          if (claimed === null) return own; // not published yet: try again
          claimed.releaseWithoutSignal();
          s = claimed.index;
        } else {
          ticket = yield* fetchAdd(tickets, 1);
          s = bug.BUG_LOCALPHASE ? own.s : ticket % S;
          yield* waitParity(full[s]!, bug.BUG_LOCALPHASE ? own.p : Math.floor(ticket / S) % 2);
        }
        if (bug.BUG_EARLY) arrive(empty[s]!);
        const found = yield* load(item[s]!);
        // The parity let the consumer through to an item that is not its ticket's: a false pass.
        const isOwn = found === END || (TRY ? found !== NOTHING : found === 1 + ticket);
        if (!isOwn) yield* wait(ownItem, 1);
        read(slot[s]!);
        if (!bug.BUG_EARLY) arrive(empty[s]!);
        if (found === END) return end(null);
        if (!bug.BUG_LOCALPHASE || TRY) return own;
        const next = (s + 1) % S;
        return { s: next, p: next === 0 ? 1 - own.p : own.p };
      });
    });

  return [scheduler, ...Array.from({ length: C }, (_, n) => consumer(n))];
});
