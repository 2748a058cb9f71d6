// Acquires for engines that perform operations at the call: handles and operations are looked up
// once per stage.
import { OpKind, type Op } from '../op/index.ts';
import { arrivalOf, currentRole, keepPosted, Operation, postMisuse } from '../program/index.ts';
import type { Buffer, CompiledOp, RoleContext } from '../program/index.ts';
import type { Endpoint, StageClass } from './endpoint.ts';
import { signalOf, type Stage } from './stage.ts';

/** The compiled operations of one stage's handle, and the context of its role. */
export class CompiledStage {
  readonly context: RoleContext;
  /** Every thread of the role signals. */
  readonly arrival: CompiledOp;
  /** Moves the role's counter past the stage, and past no other (R10). */
  readonly stepPast: CompiledOp;
  readonly stepsLate: boolean;
  /** The only or first buffer; `undefined` where stages have no parts. */
  readonly buffer: Buffer | undefined;
  readonly #handles: (Stage | null | undefined)[];

  /** `handles`: by stage, the handles that are reused. */
  constructor(context: RoleContext, stage: Stage, handles: (Stage | null | undefined)[]) {
    const { owner, side, index } = stage;
    const executor = context.executor!;
    const { lanes } = context.role;
    this.context = context;
    this.#handles = handles;
    this.stepsLate = owner.advance === 'release';
    this.arrival = executor.compile(arrivalOf(signalOf(owner, side, index), lanes, {}));
    this.buffer = owner.buffers[index]![0];
    this.stepPast = executor.compile(owner.stepsPast[side]![index]!);
  }

  /** As `leave`: ends ownership, signals, and steps where the counter moves at the release. */
  leave(stage: Stage, signal: boolean): void {
    const misuse = this.context.ownership.disown(stage);
    if (misuse !== null) keepPosted(this.context, misuse, undefined);
    if (signal) this.arrival.run();
    if (this.stepsLate) this.#stepLate(stage);
  }

  #stepLate(stage: Stage): void {
    const { ownership } = this.context;
    const stepped = ownership.stepsOf(stage.ring, stage.side);
    ownership.stepped(stage.ring, stage.side);
    if (stage.stretch === ownership.stretch && stage.acquiredAfter !== stepped) {
      postMisuse(OpKind.disown, 'release-order', stage, { at: stage.acquiredAt });
    } else this.stepPast.run();
  }

  /** A handle whose stage was moved out of its scope meets the end of that scope: it stays dead. */
  forget({ index }: Stage): void {
    this.#handles[index] = null;
  }

  /** Whether a handle of the role may be used. */
  trusts(stage: Stage): boolean {
    return stage.isLive || this.context.ownership.trusts(stage);
  }
}

/**
 * `yield* ab.acquireConsumer()`. Its `next` is its own, and not that of all operations, so that
 * what is compiled for it knows what it waits for and what it hands out.
 */
export class Acquire<H extends Stage> extends Operation<H> {
  readonly #endpoint: Endpoint;
  readonly #op: Op;
  readonly #Handle: StageClass<H>;
  readonly #result: { done: true; value: H | undefined } = { done: true, value: undefined };
  /** By stage: the handle that is handed out again and again. */
  readonly #handles: (H | null | undefined)[] = [];
  readonly #compiledStages: (CompiledStage | undefined)[] = [];
  #context: RoleContext | null = null;
  #wait: CompiledOp | null = null;
  #step: CompiledOp | null = null;

  constructor(endpoint: Endpoint, op: Op, Handle: StageClass<H>, call: string) {
    super(op, (stage) => endpoint.take(stage, Handle), call);
    this.#endpoint = endpoint;
    this.#op = op;
    this.#Handle = Handle;
  }

  override [Symbol.iterator](): this {
    if (this.#wait === null) return super[Symbol.iterator]();
    if (this.pending > 0) this.creator!.perform(this);
    return this;
  }

  override next(answer?: number): IteratorResult<Op, H> {
    if (this.#wait === null && !this.#prepare()) return super.next(answer);
    const stage = this.#wait!.run();
    const handle = this.#handles[stage];
    this.#result.value = handle ? this.#again(handle) : this.#make(stage);
    return this.#result as IteratorReturnResult<H>;
  }

  /** Looks up what is performed at the call; `false` where operations are steps of an engine. */
  #prepare(): boolean {
    const context = currentRole('yield*');
    const { executor, recyclesHandles } = context;
    if (executor === null || !recyclesHandles) return false;
    const { stepOp, advance } = this.#endpoint;
    this.#context = context;
    this.#step = advance === 'acquire' ? executor.compile(stepOp) : null;
    this.#wait = executor.compile(this.#op);
    return true;
  }

  #make(stage: number): H {
    const handle = this.#endpoint.take(stage, this.#Handle);
    handle.compiled = this.#compiledStages[stage] ??= new CompiledStage(
      this.#context!,
      handle,
      this.#handles,
    );
    this.#handles[stage] = handle;
    return handle;
  }

  #again(handle: H): H {
    const context = this.#context!;
    const { ownership } = context;
    handle.id = ownership.nextId++;
    const misuse = ownership.own(handle);
    if (misuse !== null) keepPosted(context, misuse, undefined);
    if (this.#step !== null) this.#step.run();
    else {
      handle.stretch = ownership.stretch;
      handle.acquiredAfter = ownership.stepsOf(handle.ring, handle.side);
    }
    return handle;
  }
}
