// The same program written in another way, and whether that should make a difference.
import {
  blocks,
  everyStatement,
  withBlocks,
  type Body,
  type DullProgram,
  type Mode,
  type Statement,
} from '@poundlock/fuzz/internal/order';

/** The program with all its barriers in one mode. */
export function inMode(program: DullProgram, mode: Mode): DullProgram {
  return {
    ...program,
    barriers: program.barriers.map((one) => ({ ...one, mode })),
    rings: program.rings.map((one) => ({ ...one, barriers: mode })),
  };
}

/** Whether the program never waits for a parity, which counters do not have. */
export function waitsByPhase(program: DullProgram): boolean {
  return !statementsOf(program).some((one) => one.do === 'waitParity');
}

/** The program with a `loop` in the place of every repetition. */
export function withLoops(program: DullProgram): DullProgram {
  const counts = [...program.counts];
  const rewrite = (one: Statement): Statement => {
    const body = withBlocks(
      one,
      blocks(one).map((block) => block.map(rewrite)),
    );
    if (body.do !== 'repeat') return body;
    counts.push(body.times);
    return { do: 'loop', count: counts.length - 1, body: body.body };
  };
  const roles = program.roles.map((role) => ({ ...role, body: role.body.map(rewrite) }));
  return { ...program, counts, roles };
}

/**
 * Whether repetitions may become loops: their counts are used up once (P05), no try is remembered
 * from one round to the next (P06, P07), and no handle crosses a round's end (O04).
 */
export function mayLoop(program: DullProgram): boolean {
  const all = statementsOf(program);
  const repeats = all.filter((one) => one.do === 'repeat');
  if (repeats.length === 0) return false;
  const isRound = (one: Statement) =>
    one.do === 'repeat' ||
    one.do === 'loop' ||
    one.do === 'until' ||
    one.do === 'poll' ||
    one.do === 'spin';
  if (all.some((one) => isRound(one) && blocks(one).flatMap(everyStatement).some(isRepeat))) {
    return false;
  }
  return (
    program.roles.every(({ body }) => handlesStayIn(body)) &&
    repeats.every((one) => !everyStatement(one.body).some(isTry))
  );
}

const isRepeat = (one: Statement): boolean => one.do === 'repeat';
const isTry = (one: Statement): boolean =>
  one.do === 'tryWait' || one.do === 'tryStage' || one.do === 'claim' || one.do === 'waitSide';

/** The slots of a repetition are its own: set before they are used, and unknown to the rest. */
function handlesStayIn(body: Body): boolean {
  const inside = body.flatMap((one) => (one.do === 'repeat' ? [one.body] : []));
  const outside = body.filter((one) => one.do !== 'repeat').flatMap((one) => everyStatement([one]));
  const elsewhere = new Set(outside.flatMap((one) => ('slot' in one ? [one.slot] : [])));
  return inside.every((round) => {
    const held = new Set<number>();
    return everyStatement(round).every((one) => {
      if (!('slot' in one)) return true;
      if (one.do === 'acquire' || one.do === 'scoped') held.add(one.slot);
      return held.has(one.slot) && !elsewhere.has(one.slot);
    });
  });
}

function statementsOf(program: DullProgram): Statement[] {
  return program.roles.flatMap((role) => everyStatement(role.body));
}
