// How producers and consumers of packages/ring claim batches, as a program: the endpoints of a side
// share a register of turns, and claim the stages of a batch by one compare-and-exchange.
//
// `claiming` leaves out one rule: with `at-once` the protocol is whole: a producer waits until the
// stages of its batch are empty, holding none, and claims them together; a consumer waits for one
// full stage and claims those that are full, at most a batch. `one-by-one` holds stages while it
// waits for more; `whole` lets a consumer wait for a whole batch, which the end of the stream does
// not fill; `unseen` claims a batch of which only the first stage was seen to be empty.
import { alloc, arrive, barrier, buffer, cell, free, join, kernel, load, pool } from 'poundlock';
import { read, relinquish, role, store, wait, write } from 'poundlock';

const defaults = { stages: 2, producers: 2, consumers: 1, batch: 2, items: 3, claiming: 'at-once' };

export default kernel('batches', defaults, (params) => {
  const { stages, producers, consumers, batch, items, claiming } = params;
  if (batch < 1 || batch > stages) throw new RangeError('a batch has 1 to all stages');
  const total = items * producers;
  // A barrier for each turn: an endpoint that waits for a stage looks again once another one has
  // claimed it, and so never takes a lap for another by its parity.
  const turns = [...Array(total).keys()];
  const full = turns.map((turn) => barrier(`full[${turn}]`));
  const empty = turns.map((turn) => barrier(`empty[${turn}]`));
  const slots = [...Array(stages).keys()].map((stage) => buffer(`slot[${stage}]`));
  /** Whether a turn was filled: what a consumer sees without waiting. */
  const filled = turns.map((turn) => cell(`filled[${turn}]`));
  const registers = { produce: cell('producerRegister'), consume: cell('consumerRegister') };
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });
  const slotOf = (turn: number) => slots[turn % stages]!;

  /** Compare and exchange: claims `count` turns unless another endpoint was faster. */
  function* claim(side: 'produce' | 'consume', turn: number, count: number) {
    const held = yield* alloc(step, 1);
    const isMine = (yield* load(registers[side])) === turn;
    if (isMine) store(registers[side], turn + count);
    free(held);
    return isMine;
  }

  /** Returns the turns that a producer has claimed. */
  function* claimEmpty(count: number) {
    const turns: number[] = [];
    const size = claiming === 'one-by-one' ? 1 : count;
    const seen = claiming === 'unseen' ? 1 : size;
    while (turns.length < count) {
      const turn = yield* load(registers.produce);
      for (let next = turn; next < turn + seen; next++) {
        if (next >= stages && next < total) yield* wait(empty[next - stages]!, 0);
      }
      if (!(yield* claim('produce', turn, size))) continue;
      for (let next = turn; next < turn + size; next++) turns.push(next);
    }
    return turns;
  }

  /** How many stages from `turn` on are full, at most `most`; at least the one waited for. */
  function* countFull(turn: number, most: number) {
    let count = 1;
    for (; count < most; count++) {
      const next = turn + count;
      if (next === total || (yield* load(filled[next]!)) === 0) break;
    }
    return count;
  }

  /** Returns the turns that a consumer has claimed; none at the end of the stream. */
  function* claimFull() {
    const turns: number[] = [];
    for (;;) {
      const turn = yield* load(registers.consume);
      if (turn === total && (turns.length === 0 || claiming !== 'whole')) return turns;
      yield* wait(full[turn]!, 0);
      const isWhole = claiming === 'one-by-one' || claiming === 'whole';
      const most = Math.min(batch, stages);
      const count = isWhole ? 1 : yield* countFull(turn, most);
      if (!(yield* claim('consume', turn, count))) continue;
      for (let next = turn; next < turn + count; next++) turns.push(next);
      if (!isWhole || turns.length === batch) return turns;
    }
  }

  const makers = [...Array(producers).keys()].map((number) =>
    role(`producer${number}`, function* () {
      for (let produced = 0; produced < items;) {
        const turns = yield* claimEmpty(Math.min(batch, items - produced));
        for (const turn of turns) write(slotOf(turn));
        for (const turn of turns) {
          store(filled[turn]!, 1);
          arrive(full[turn]!);
        }
        produced += turns.length;
      }
    }),
  );
  const takers = [...Array(consumers).keys()].map((number) =>
    role(`consumer${number}`, function* () {
      for (;;) {
        const turns = yield* claimFull();
        if (turns.length === 0) return;
        for (const turn of turns) read(slotOf(turn));
        for (const turn of turns) arrive(empty[turn]!);
      }
    }),
  );
  const roles = [...makers, ...takers];
  const last = role('last', function* () {
    for (const each of roles.keys()) yield* join(each);
    relinquish(step);
  });
  return [...roles, last];
});
