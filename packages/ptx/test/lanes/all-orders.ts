// What can happen if each lane of a program is a thread: every interleaving, one step at a time.
import { countOf, LANES, lanesIn } from './programs.ts';
import type { LaneProgram, Statement } from './programs.ts';

/** What some interleaving of a program shows. */
export interface Outcome {
  readonly race: boolean;
  readonly deadlock: boolean;
}

/** A statement of one lane; `statement` says which one it is part of. */
interface Own {
  readonly statement: number;
  readonly what: Statement;
  readonly lane: number;
}

/** Threads of both warps. */
const THREADS = 2 * LANES;
const MAX_STATES = 2_000_000;

/** Explores all interleavings of the lanes of a program. */
export function allOrders(program: LaneProgram): Outcome {
  const threads = Array.from({ length: THREADS }, (_, thread) => ownOf(program, thread));
  const seen = new Set<string>();
  const open: number[][] = [threads.map(() => 0)];
  let [race, deadlock] = [false, false];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const key = state.join(',');
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > MAX_STATES) throw new RangeError('too many states');
    const next = threads.map((own, thread) => own[state[thread]!]);
    race ||= hasRace(next);
    const moves = movesOf(program, threads, state);
    if (moves.length === 0 && next.some((own) => own !== undefined)) deadlock = true;
    open.push(...moves);
  }
  return { race, deadlock };
}

function ownOf({ statements }: LaneProgram, thread: number): Own[] {
  const [warp, lane] = [Math.floor(thread / LANES), thread % LANES];
  return statements.flatMap((what, statement) =>
    what.warp === warp && lanesIn(what.lanes).includes(lane) ? [{ statement, what, lane }] : [],
  );
}

/** The states after one step. */
function movesOf(program: LaneProgram, threads: readonly Own[][], state: readonly number[]) {
  const moves: number[][] = [];
  /** Threads that have made a statement. */
  const done = (statement: number): number =>
    threads.filter((own, thread) => {
      return own.findIndex((each) => each.statement === statement) in own
        ? own.findIndex((each) => each.statement === statement) < state[thread]!
        : false;
    }).length;
  for (const [thread, own] of threads.entries()) {
    const next = own[state[thread]!];
    if (next === undefined) continue;
    const { what, statement } = next;
    if (what.kind === 'wait') {
      const arrival = program.statements.findIndex(
        (each) => each.kind === 'arrive' && each.barrier === what.barrier,
      );
      if (arrival < 0 || done(arrival) < countOf(program, what.barrier)) continue;
    }
    if (what.kind === 'join') {
      // All members go on together, once each is there; one of them makes the move.
      const members = threads.flatMap((each, other) =>
        each.some((one) => one.statement === statement) ? [other] : [],
      );
      const isComplete = members.every(
        (other) => threads[other]![state[other]!]?.statement === statement,
      );
      if (!isComplete || members[0] !== thread) continue;
      moves.push(state.map((at, other) => (members.includes(other) ? at + 1 : at)));
      continue;
    }
    moves.push(state.map((at, other) => (other === thread ? at + 1 : at)));
  }
  return moves;
}

/** Whether two threads can access one word at the same time, one of them to write. */
function hasRace(next: readonly (Own | undefined)[]): boolean {
  const accesses = next.flatMap((own) => {
    const word = own === undefined ? null : wordOf(own);
    return word === null ? [] : [{ own: own!, word, isWrite: /store/.test(own!.what.kind) }];
  });
  return accesses.some((one, index) =>
    accesses.slice(index + 1).some((other) => {
      // The lanes of one instruction are one access.
      const isOne = one.own.statement === other.own.statement;
      return !isOne && one.word === other.word && (one.isWrite || other.isWrite);
    }),
  );
}

function wordOf({ what, lane }: Own): string | null {
  if (what.kind === 'store' || what.kind === 'load') return `word ${what.word}`;
  if (what.kind === 'storeNear' || what.kind === 'loadNear')
    return `table ${(lane + what.distance) % LANES}`;
  return null;
}
