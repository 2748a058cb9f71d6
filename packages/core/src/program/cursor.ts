// A cursor drives one role instance: each answer gives the operations up to the next wait.
import { InputError, InvariantError, invariant, type Position } from '../base/index.ts';
import { CATALOGUE, OpKind, type Op } from '../op/index.ts';
import { exchangeRunning, type RoleContext } from './context.ts';
import { End, type LoopDetail } from './loop.ts';
import { rethrowRefused } from './outside.ts';
import { asInputError } from './user-code.ts';
import { copyValue, encodeValue, ReturnedObjects, type StateOwner } from './value.ts';

/** What a role does between two answers: posted operations, then one thing that ends them. */
export interface Segment {
  readonly posted: readonly Op[];
  /** The yielded operation, or `null` where the body returned. */
  readonly yielded: Op | null;
  /** What the body returned, where it did. */
  readonly returned: unknown;
  /** Places of the posted operations and of the yielded one, while they are captured. */
  readonly places: readonly (Position | undefined)[];
}

/** The most rounds in a row that make no operation (bound `empty-rounds`). */
export const MAX_EMPTY_ROUNDS = 1000;

const NONE: readonly number[] = [];

type Body = Generator<Op, unknown, number>;

/** One role instance and the generators that are open in it: its body, and a round in each loop. */
export class Cursor {
  readonly context: RoleContext;
  readonly #open: Body[] = [];
  readonly #loops: {
    readonly detail: LoopDetail;
    readonly firstId: number;
    /** Handles from outside of the loop that its first state carried in. */
    readonly entered: readonly number[];
    /** The place of the loop around it. */
    readonly outerAt: Position | undefined;
  }[] = [];
  #returned: unknown;
  readonly #returnedObjects = new ReturnedObjects();
  /** What {@link nextOp} has answered last. */
  op: Op | null = null;
  /** How many operations of the segment it has answered; more than there are once it is used up. */
  #taken = 1;
  /** The operation of the segment that a round starts with; −1 if none does. */
  #roundAt = -1;
  /** The operation that the role waits at, or `null` before its first step and after its last. */
  standing: Op | null = null;
  /** Whether a loop was entered in this instance. */
  hasLooped = false;

  constructor(context: RoleContext) {
    this.context = context;
    this.#push(context.role.body, undefined);
  }

  /** The loop that the role stands at. */
  get standingLoop(): LoopDetail {
    const op = this.standing;
    invariant(op?.kind === OpKind.loop, 'a round belongs to a loop that the role stands at');
    return op.args.loop as LoopDetail;
  }

  /** How many loops the cursor is inside. */
  get depth(): number {
    return this.#loops.length;
  }

  /** The loop that the cursor is in a round of. */
  get innermost(): LoopDetail | undefined {
    return this.#loops.at(-1)?.detail;
  }

  /** The id that the first handle of the innermost round has. */
  get firstId(): number {
    return this.#loops.at(-1)?.firstId ?? 0;
  }

  /** Starts a round of the loop that the role stands at. */
  enter(detail: LoopDetail, state: unknown, entered: readonly number[] = NONE): void {
    this.hasLooped = true;
    const { context } = this;
    const firstId = context.ownership.nextId;
    this.#loops.push({ detail, firstId, entered, outerAt: context.loopAt });
    context.loopAt = context.yieldedAt;
    this.#push(detail.body, state);
  }

  /** Closes the innermost loop, whose round has returned, with its result. */
  leave(result: unknown): void {
    const loop = this.#loops.pop();
    invariant(loop !== undefined, 'a loop that is left was entered');
    loop.detail.result = result;
    this.context.loopAt = loop.outerAt;
  }

  /** Resumes the role with the answer to its last operation; the first call has none. */
  resume(answer: number | undefined): Segment {
    this.#clear();
    const yielded = this.#step(answer);
    return this.#segment(yielded);
  }

  /** As {@link resume}, and captures places for once. */
  resumeWithPlaces(answer: number): Segment {
    return this.withPlaces(() => this.resume(answer));
  }

  /** Captures places while something is resumed. */
  withPlaces<T>(resume: () => T): T {
    const { context } = this;
    const { capture } = context;
    context.capture = true;
    try {
      return resume();
    } finally {
      context.capture = capture;
    }
  }

  /**
   * Resumes in place: rounds follow each other in the same instance. Answers loops by itself, so
   * that the segment ends with an operation or the end of the role.
   */
  resumeInPlace(answer: number | undefined): Segment {
    return this.#segment(this.next(answer));
  }

  /**
   * As {@link resumeInPlace}, for hot loops: returns the yielded operation, or `null` at the role's
   * end. What was posted before is in `context.posted` until the next call.
   */
  next(answer: number | undefined): Op | null {
    this.#clear();
    let reply = answer;
    for (let rounds = 0; ; rounds++) {
      if (rounds > MAX_EMPTY_ROUNDS && this.context.postedCount === 0) this.refuseEmptyRounds();
      const op = this.#step(reply);
      if (op !== null && op.kind !== OpKind.loop) return op;
      if (op !== null) {
        // The loop is no step of the segment, and has no place in it.
        if (this.context.capture) this.context.places.pop();
        const detail = op.args.loop as LoopDetail;
        this.#returnedObjects.note(detail.state);
        const state = copyValue(detail.state, this.#ownerOf(detail));
        this.enter(detail, state, this.#handlesIn(detail, state));
        reply = undefined;
      } else if (this.depth > 0) {
        reply = this.#endRound() ? 0 : undefined;
        if (reply === 0) continue;
      } else {
        this.#postLeaks(0, NONE, NONE);
        return null;
      }
      this.#roundAt = this.context.postedCount;
    }
  }

  /**
   * As {@link next}, one operation at a time, those that were posted before the yielded one.
   * `answer` is that of the operation before, which counts where that was yielded.
   */
  nextOp(answer: number): Op | null {
    const { context } = this;
    let at = this.#taken;
    if (at > context.postedCount) {
      this.next(answer);
      at = 0;
    }
    this.#taken = at + 1;
    return (this.op = at < context.postedCount ? context.posted[at]! : this.standing);
  }

  /** Whether a round of a loop starts with {@link op}. */
  get startsRound(): boolean {
    return this.#roundAt === this.#taken - 1;
  }

  /** Where {@link op} is, while places are captured. */
  get place(): Position | undefined {
    return this.context.places[this.#taken - 1];
  }

  /** A round must return the next state or `end(result)`. */
  requireRound(returned: unknown): void {
    const value = returned instanceof End ? (returned.result as unknown) : returned;
    if (value !== undefined) return;
    throw new InputError(
      `a round of the loop in role ${this.context.role.name} returned nothing: ` +
        `return the next state, or end(result)`,
      this.context.declaredAt(),
    );
  }

  #clear(): void {
    const { context } = this;
    this.#roundAt = -1;
    context.postedCount = 0;
    if (context.places.length > 0) context.places.length = 0;
  }

  #segment(yielded: Op | null): Segment {
    const { posted, postedCount, places } = this.context;
    return {
      posted: posted.slice(0, postedCount),
      yielded,
      returned: this.#returned,
      places: places.slice(),
    };
  }

  /** Runs the innermost generator to its next yield; `null` when it returned. */
  #step(answer: number | undefined): Op | null {
    const { context } = this;
    context.alarm.tick();
    const body = this.#open[this.#open.length - 1]!;
    const outer = exchangeRunning(context);
    let result: IteratorResult<Op, unknown>;
    try {
      result = body.next(answer as number);
    } catch (error) {
      rethrowRefused();
      throw asInputError(`role ${context.role.name}`, error, context.ownership.pending);
    } finally {
      exchangeRunning(outer);
    }
    rethrowRefused();
    if (result.done === true) {
      this.#open.pop();
      this.#returned = result.value;
      this.standing = null;
      return null;
    }
    const op = result.value;
    if (CATALOGUE[op?.kind]?.yields !== true) this.#refuse(op);
    this.standing = op;
    if (op.kind === OpKind.loop) context.ownership.stretch++;
    if (context.capture) context.places.push(context.yieldedAt);
    return op;
  }

  /** After a round in place: starts the next one, or leaves the loop and says so. */
  #endRound(): boolean {
    const { detail, firstId, entered } = this.#loops[this.#loops.length - 1]!;
    const returned = this.#returned;
    this.requireRound(returned);
    const isEnd = returned instanceof End;
    const value = isEnd ? (returned.result as unknown) : returned;
    const carried = isEnd
      ? copyValue(value, this.#ownerOf(detail))
      : copyValue(value, this.#ownerOf(detail), this.#returnedObjects);
    if (this.context.ownership.hasLeft)
      this.#postLeaks(firstId, this.#handlesIn(detail, carried), entered);
    if (isEnd) this.leave(carried);
    else this.#push(detail.body, carried);
    return isEnd;
  }

  /** The handles in the state or the result of a loop. */
  #handlesIn(loop: LoopDetail, value: unknown): readonly number[] {
    const { hasLeft, live } = this.context.ownership;
    if (!hasLeft) return NONE;
    return encodeValue(value, this.#ownerOf(loop), (id) => live.has(id)).ids;
  }

  #ownerOf(loop: LoopDetail): StateOwner {
    return { role: this.context.role.name, loop };
  }

  #postLeaks(firstId: number, carried: readonly number[], entered: readonly number[]): void {
    for (const { op, place } of this.context.ownership.leaks(firstId, carried, entered)) {
      this.context.posted[this.context.postedCount++] = op;
      if (this.context.capture) this.context.places.push(place);
    }
  }

  #push(make: (state: unknown) => unknown, state: unknown): void {
    this.context.ownership.stretch++;
    const outer = exchangeRunning(this.context);
    let body: Body | undefined;
    try {
      body = make(state) as Body | undefined;
    } catch (error) {
      rethrowRefused();
      const { role, ownership } = this.context;
      throw asInputError(`role ${role.name}`, error, ownership.pending);
    } finally {
      exchangeRunning(outer);
    }
    if (typeof body?.next !== 'function') {
      throw new InputError(
        `the body of a loop in role ${this.context.role.name} must be a generator function`,
        this.context.declaredAt(),
      );
    }
    this.#open.push(body);
  }

  /** A loop goes round and round without an operation. */
  refuseEmptyRounds(): never {
    const { name } = this.context.role;
    throw new InputError(
      `a loop in role ${name} makes more than ${MAX_EMPTY_ROUNDS} rounds without an operation`,
      this.context.declaredAt(),
    );
  }

  /** Says what is wrong with something that was yielded. */
  #refuse(yielded: unknown): never {
    const { name } = this.context.role;
    const kind = (yielded as Partial<Op> | null | undefined)?.kind;
    if (kind !== undefined && CATALOGUE[kind] !== undefined) {
      throw new InvariantError(`${CATALOGUE[kind].name} is posted, never yielded`);
    }
    const shown = typeof yielded === 'object' ? 'an object' : String(yielded);
    throw new InputError(
      `role ${name} yielded ${shown}, which is not an operation: write yield* before an operation`,
      this.context.declaredAt(),
    );
  }
}
