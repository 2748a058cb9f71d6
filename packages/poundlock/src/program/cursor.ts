// A cursor drives one role instance: each answer gives the operations up to the next wait.
import { InputError, InvariantError, invariant } from '../base/index.ts';
import { CATALOGUE, OpKind, type Op } from '../op/index.ts';
import { runAs, type Posted, type RoleContext } from './context.ts';
import { End, type LoopDetail } from './loop.ts';
import { userCode } from './program.ts';

/** What a role does between two answers: posted operations, then one thing that ends them. */
export interface Segment {
  readonly posted: readonly Posted[];
  /** The yielded operation, or `null` where the body returned. */
  readonly yielded: Posted | null;
  /** What the body returned, where it did. */
  readonly returned: unknown;
}

type Body = Generator<Op, unknown, number>;

/** One role instance and the generators that are open in it: its body, and a round in each loop. */
export class Cursor {
  readonly context: RoleContext;
  readonly #open: Body[] = [];
  readonly #loops: { readonly detail: LoopDetail; readonly firstId: number }[] = [];

  constructor(context: RoleContext) {
    this.context = context;
    this.#push(() => context.role.body());
  }

  /** The operation that the role waits at, or `null` before its first step and after its last. */
  standing: Posted | null = null;

  /** Whether a loop was entered in this instance. */
  hasLooped = false;

  /** How many loops the cursor is inside. */
  get depth(): number {
    return this.#loops.length;
  }

  /** Starts a round of the loop that the last segment ended with. */
  enter(detail: LoopDetail, state: unknown): void {
    this.hasLooped = true;
    this.#loops.push({ detail, firstId: this.context.ownership.nextId });
    this.#push(() => detail.body(state));
  }

  /** The id that the first handle of the innermost round has. */
  get firstId(): number {
    return this.#loops.at(-1)?.firstId ?? 0;
  }

  /** Resumes the role with the answer to its last operation; the first call has none. */
  resume(answer: number | undefined): Segment {
    const { context } = this;
    const body = this.#open.at(-1)!;
    context.posted.length = 0;
    context.yieldedAt = undefined;
    const who = `role ${context.role.name}`;
    const result = runAs(context, () => userCode(who, () => body.next(answer as number)));
    const posted = context.posted.slice();
    if (result.done === true) {
      this.#open.pop();
      this.standing = null;
      return { posted, yielded: null, returned: result.value };
    }
    const op = this.#validated(result.value);
    this.standing = { op, position: context.yieldedAt };
    return { posted, yielded: this.standing, returned: undefined };
  }

  /** Closes the innermost loop, whose round has returned, with its result. */
  leave(result: unknown): void {
    const loop = this.#loops.pop();
    invariant(loop !== undefined, 'a loop that is left was entered');
    loop.detail.result = result;
  }

  /**
   * Resumes in place: rounds follow each other in the same instance. Answers loops by itself, so
   * that the segment ends with an operation or the end of the role.
   */
  resumeInPlace(answer: number | undefined): Segment {
    let segment = this.resume(answer);
    const posted = [...segment.posted];
    for (;;) {
      if (segment.yielded?.op.kind === OpKind.loop) {
        const detail = segment.yielded.op.detail as LoopDetail;
        this.enter(detail, detail.state);
        segment = this.resume(undefined);
      } else if (segment.yielded === null && this.depth > 0) {
        const { detail } = this.#loops.at(-1)!;
        const { returned } = segment;
        this.requireRound(returned);
        if (returned instanceof End) {
          this.leave(returned.result);
          segment = this.resume(0);
        } else {
          this.#push(() => detail.body(returned));
          segment = this.resume(undefined);
        }
      } else {
        return { posted, yielded: segment.yielded, returned: segment.returned };
      }
      posted.push(...segment.posted);
    }
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

  #push(make: () => unknown): void {
    const { name } = this.context.role;
    const body = runAs(this.context, () => userCode(`role ${name}`, make)) as Body | undefined;
    if (typeof body?.next !== 'function') {
      throw new InputError(
        `the body of a loop in role ${name} must be a generator function`,
        this.context.declaredAt(),
      );
    }
    this.#open.push(body);
  }

  #validated(yielded: unknown): Op {
    const { name, body } = this.context.role;
    const op = yielded as Partial<Op> | null;
    const entry = typeof op === 'object' && op !== null ? CATALOGUE[op.kind ?? -1] : undefined;
    if (entry === undefined || op === null) {
      const shown = typeof yielded === 'object' ? 'an object' : String(yielded);
      throw new InputError(
        `role ${name} yielded ${shown}, which is no operation: write yield* before an operation`,
        this.context.declaredAt(),
      );
    }
    if (!entry.yields)
      throw new InvariantError(`${entry.name} is posted, never yielded (${body.name})`);
    return op as Op;
  }
}
