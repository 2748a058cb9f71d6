// Runs one role without choices to its end, alone, and records its operations and ghosts.
import { BoundError, currentPosition, InputError, type Position } from '../base/index.ts';
import {
  CATALOGUE,
  isOpen,
  OpKind,
  type Op,
  type OpenKind,
  type UnansweredKind,
} from '../op/index.ts';
import { exchangeRunning, type RoleContext } from './context.ts';
import { Cursor, MAX_EMPTY_ROUNDS, type Segment } from './cursor.ts';
import { End, type LoopDetail } from './loop.ts';
import { LoggedOwnership } from './logged-ownership.ts';
import { handleOf } from './ownership.ts';
import type { Program } from './program.ts';
import { RoleDriver, Stand, type RoleHost } from './role-driver.ts';

/** One operation of a role, or a ghost operation with its handle. */
export interface LinearStep {
  readonly op: Op;
  readonly place: Position | undefined;
}

/** The most operations of a role that is driven to its end (bound `straight`). */
const MAX_LINEAR_STEPS = 200_000;

/**
 * What a role does, in order, if every handle's release comes before the next acquire on its ring.
 * Counts end after `maxItems`, for a run that is shorter than the program's.
 *
 * @throws InputError for a role whose way depends on an answer.
 */
export function runLinear(
  program: Program,
  role: number,
  maxItems: number = Number.POSITIVE_INFINITY,
): LinearStep[] {
  const ownership = new LoggedOwnership();
  return new Drive(program.instance(role, true, ownership), program, maxItems).toEnd();
}

/** The way of a role depends on what an operation returns: alone, it can not be run to its end. */
export class ChoiceError extends InputError {
  /** What depends on it: `tryWait in role use is a choice`. */
  readonly choice: string;

  constructor(operation: string, role: string, place: Position | undefined) {
    const choice = `${operation} in role ${role} is a choice`;
    const message = `ownership: 'raii' requires roles without choices, and ${choice}`;
    super(message, place ?? currentPosition());
    this.choice = choice;
  }
}

/** A role alone is a state of its own. */
const NO_STATE = new Int32Array(0);

class Drive implements RoleHost {
  readonly #context: RoleContext;
  readonly #cursor: Cursor;
  /** What the role does up to its next answer, and how much of that is in the list. */
  #segment: Segment | null = null;
  #at = 0;
  readonly #program: Program;
  readonly #maxItems: number;
  readonly #steps: LinearStep[] = [];
  /** By ring and side, and by count and pool: how far the role has come. */
  readonly #registers = new Map<string, number>();

  constructor(context: RoleContext, program: Program, maxItems: number) {
    this.#context = context;
    this.#cursor = new Cursor(context);
    this.#maxItems = maxItems;
    this.#program = program;
  }

  toEnd(): LinearStep[] {
    const alone = { roles: [this.#context.role], alarm: this.#program.alarm };
    new RoleDriver(this, alone, null, MAX_LINEAR_STEPS).start(NO_STATE, 0);
    return this.#steps;
  }

  hasStarted(): boolean {
    return this.#segment !== null;
  }

  hasEnded(): boolean {
    return false;
  }

  enter(): Stand {
    this.#resume(undefined);
    return this.#come();
  }

  /** Alone, a role passes everything at once. */
  pass(): Stand {
    const { posted, yielded, places } = this.#segment!;
    const at = this.#at++;
    const op = at < posted.length ? posted[at]! : yielded!;
    this.#keep(op, places[at]);
    if (at === posted.length) this.#resume(this.#answer(op, places[at]));
    return this.#come();
  }

  misused(): void {
    // Misuses are operations of the list, like all others.
  }

  ended(): void {
    this.#dropAll();
  }

  endless(): never {
    const { name } = this.#context.role;
    throw new BoundError('straight', MAX_LINEAR_STEPS, `role ${name} executes more operations`);
  }

  #resume(answer: number | undefined): void {
    this.#segment = this.#cursor.resume(answer);
    this.#at = 0;
  }

  /** Goes through rounds of loops, which are no operations of the list, to the next one that is. */
  #come(): Stand {
    const cursor = this.#cursor;
    for (let rounds = 0; ; rounds++) {
      const { posted, yielded, returned } = this.#segment!;
      if (this.#at < posted.length) return Stand.silent;
      if (rounds > MAX_EMPTY_ROUNDS) cursor.refuseEmptyRounds();
      if (yielded === null) {
        if (cursor.depth === 0) return Stand.end;
        this.#resume(this.#endRound(returned));
      } else if (yielded.kind === OpKind.loop) {
        const detail = yielded.args.loop as LoopDetail;
        cursor.enter(detail, detail.state);
        this.#resume(undefined);
      } else return Stand.silent;
    }
  }

  #endRound(returned: unknown): number | undefined {
    const cursor = this.#cursor;
    cursor.requireRound(returned);
    this.#keepUnperformed(cursor.firstId);
    const detail = cursor.innermost!;
    cursor.leave(returned instanceof End ? returned.result : undefined);
    if (returned instanceof End) return 0;
    cursor.enter(detail, returned);
    return undefined;
  }

  /** What is still owned at the end is released there, as a destructor would. */
  #dropAll(): void {
    const context = this.#context;
    context.postedCount = 0;
    // No line of the user is being run: looking for it would find nothing, slowly.
    context.capture = false;
    const outer = exchangeRunning(context);
    try {
      for (const { handle } of context.ownership.live.values()) handle.drop();
    } finally {
      exchangeRunning(outer);
    }
    for (const op of context.posted.slice(0, context.postedCount)) this.#keep(op, undefined);
    this.#keepUnperformed(0);
  }

  /** P13: operations that were created since an id and never performed are misuses. */
  #keepUnperformed(from: number): void {
    for (const { op, place } of this.#context.ownership.unperformed(from)) this.#keep(op, place);
  }

  #keep(op: Op, place: Position | undefined): void {
    this.#steps.push({ op, place });
    const handle = op.kind === OpKind.own ? handleOf(op) : null;
    if (handle?.steps) this.#count(`ring ${handle.ring} ${handle.side}`);
    // A step of a release is counted at its acquire.
    if (op.kind === OpKind.step && op.args.past === null) {
      this.#count(`ring ${op.args.ring} ${op.args.side}`);
    }
  }

  #answer(op: Op, place: Position | undefined): number {
    const { declarations } = this.#program;
    switch (op.kind) {
      case OpKind.waitStage:
      case OpKind.stage: {
        const { ring, side } = op.args;
        return (
          (this.#registers.get(`ring ${ring} ${side}`) ?? 0) % declarations.rings[ring]!.stages
        );
      }
      case OpKind.more:
        return this.#more(op.args.count) ? 1 : 0;
      case OpKind.alloc: {
        const { buffers } = declarations.pools[op.args.pool]!;
        return buffers[this.#count(`pool ${op.args.pool}`) % buffers.length]!;
      }
      default:
        return this.#fixedAnswer(op.kind, place);
    }
  }

  /** The answer of an operation that has none; one with an open answer is refused. */
  #fixedAnswer(kind: UnansweredKind | OpenKind, place: Position | undefined): number {
    if (!isOpen(kind)) return 0;
    throw new ChoiceError(CATALOGUE[kind]!.name, this.#context.role.name, place);
  }

  #more(count: number): boolean {
    const { total } = this.#program.declarations.counts[count]!;
    return this.#count(`count ${count}`) < Math.min(total, this.#maxItems);
  }

  /** Counts one on, and returns what it was. */
  #count(what: string): number {
    const before = this.#registers.get(what) ?? 0;
    this.#registers.set(what, before + 1);
    return before;
  }
}
