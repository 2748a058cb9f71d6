// The base class of all handles of an acquired stage.
import { closeMembers, currentPosition, declareFields, InputError, option } from '../base/index.ts';
import { optionTable, requireOptions, type OptionsOf } from '../base/index.ts';
import { OpKind, Side } from '../op/index.ts';
import {
  arrivalOf,
  CTA_TARGETS,
  currentRole,
  ghost,
  post,
  postOwn,
  postMisuse,
  requireLanes,
  StageHandle,
} from '../program/index.ts';
import type { Barrier, Buffer } from '../program/index.ts';
import type { CompiledStage } from './compiled-stage.ts';
import type { RingDeclaration } from './ring.ts';

export const ARRIVAL = optionTable({
  ...CTA_TARGETS.values,
  /**
   * The number of threads that arrive, as under `if (lane < n)`; every thread of the role unless
   * specified.
   */
  lanes: option.checkedLater<number>(),
});

/** Options of {@link Stage.arrive}: which threads of the role arrive, and in which CTAs. */
export interface Arrival extends OptionsOf<typeof ARRIVAL> {}

/** Every thread of the role, in its own CTA. */
const ALL: Arrival = {};

/**
 * The handle of an acquired stage. Its accessors and calls count as uses of the stage (O03).
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: { a: 64, b: 64 } });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     slot.arrive();
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     read(tile.buffer('a'));
 *     read(tile.buffer('b'));
 *   }),
 * ];
 */
export abstract class Stage extends StageHandle {
  /** The ring of the stage. */
  readonly owner: RingDeclaration;
  /**
   * Where operations are performed at the call, and this handle is reused.
   *
   * @internal
   */
  compiled: CompiledStage | null = null;

  /** @internal */
  constructor(owner: RingDeclaration, side: Side, stage: number, id: number) {
    super(owner.id, side, stage, id);
    this.owner = owner;
  }

  override get steps(): boolean {
    return this.owner.advance === 'release';
  }

  /** The buffers of the stage, one for each part. */
  get buffers(): readonly Buffer[] {
    this.touch();
    return this.owner.buffers[this.index]!;
  }

  /**
   * The buffer of one part; without a name, the only or first one.
   *
   * @throws InputError for a part that the pipeline does not have.
   */
  buffer(part?: string): Buffer {
    const { compiled } = this;
    if (compiled?.buffer !== undefined && part === undefined && compiled.trusts(this))
      return compiled.buffer;
    const at = part === undefined ? 0 : this.owner.parts.findIndex((one) => one.name === part);
    const found = this.buffers[at];
    if (found !== undefined) return found;
    throw new InputError(`pipeline ${this.owner.name} has no part ${part}`, currentPosition());
  }

  /** The size of the whole stage in bytes. */
  get bytes(): number {
    return this.owner.parts.reduce((sum, part) => sum + part.bytes, 0);
  }

  /** The sizes of its parts in bytes, in the order of {@link buffers}. */
  get partBytes(): readonly number[] {
    return this.owner.parts.map((part) => part.bytes);
  }

  /**
   * The barrier that this side signals: full for a producer, empty for a consumer. It outlives the
   * stage.
   *
   * @returnsOwned
   */
  mbar(): Barrier {
    this.touch();
    return signalOf(this.owner, this.side, this.index);
  }

  /**
   * The threads of the role arrive at {@link mbar}: all of them, or as many as `lanes` says.
   *
   * @throws InputError for more lanes than the role has.
   */
  arrive(arrival: Arrival = ALL): void {
    const { compiled } = this;
    if (compiled !== null && arrival === ALL && compiled.trusts(this)) {
      compiled.arrival.run();
      return;
    }
    requireOptions('arrive()', ARRIVAL, arrival);
    this.touch(1);
    postArrival(this, arrival, undefined);
  }

  /** Records a use of the handle that covers the `covers` operations that are posted next (O03). */
  touch(covers = 0): void {
    ghost(OpKind.use, this, covers);
  }

  /** Whether the running role owns the stage by this handle. */
  get isOwned(): boolean {
    return currentRole('a handle').ownership.live.has(this.id);
  }

  /**
   * Ends ownership, every thread signals the other side where `signal` says so, and, where the
   * counter advances at the release, it steps past this stage (R03, R10).
   */
  protected leave(signal: boolean): void {
    leave(this, signal);
  }

  /**
   * Ends ownership without a signal or a step; the `covers` operations that are posted next are
   * those of the release.
   */
  protected disown(covers: number): void {
    ghost(OpKind.disown, this, covers);
  }
}

closeMembers(StageHandle.prototype, 'a stage');
/** The fields of all handles. */
const FIELDS = [
  ...(['ring', 'side', 'index', 'id', 'parent', 'role', 'acquiredAfter', 'stretch'] as const),
  ...(['isLive', 'acquiredAt', 'owner', 'compiled'] as const),
] satisfies (keyof Stage)[];
declareFields(StageHandle.prototype, FIELDS);

/** Posts the arrivals of a role's threads on what a handle signals. */
function postArrival(stage: Stage, arrival: Arrival, at: Stage['acquiredAt']): void {
  const context = currentRole('an arrival');
  const { lanes } = context.role;
  const target = signalOf(stage.owner, stage.side, stage.index);
  // The one of every tile: nothing is looked for.
  const known = arrival === ALL ? target.memo.plain?.[lanes] : undefined;
  // Every thread arrives, those of each strand for themselves (W05).
  if (known !== undefined) return postOwn(context, known, at);
  const { lanes: arriving = lanes } = arrival;
  requireLanes(arriving, lanes);
  const op = arrivalOf(target, arriving, arrival);
  if (arriving === lanes) postOwn(context, op, at);
  else post(op, at);
}

/** The barrier that a side of a stage signals. */
export function signalOf({ full, empty }: RingDeclaration, side: Side, stage: number): Barrier {
  return side === Side.produce ? full[stage]! : empty[stage]!;
}

/**
 * Ends ownership, signals where `signal` says so, and, where the counter moves at the release,
 * steps past this stage (R03, R10).
 */
export function leave(stage: Stage, signal: boolean): void {
  const { owner, side, index, compiled } = stage;
  if (compiled !== null) return compiled.leave(stage, signal);
  // A scoped handle's release has its acquire as its place: the closing brace has no position.
  const at = stage.linear ? undefined : stage.acquiredAt;
  const steps = owner.advance === 'release';
  ghost(OpKind.disown, stage, Number(signal) + Number(steps), at);
  if (signal) postArrival(stage, ALL, at);
  if (!steps) return;
  const { ownership } = currentRole('a release');
  const stepped = ownership.stepsOf(owner.id, side);
  ownership.stepped(owner.id, side);
  if (stage.stretch === ownership.stretch && stage.acquiredAfter !== stepped) {
    postMisuse(OpKind.disown, 'release-order', stage, { at: stage.acquiredAt });
  } else post(owner.stepsPast[side]![index]!, at);
}
