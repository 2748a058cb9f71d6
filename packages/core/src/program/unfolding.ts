// Unfolds roles for search: generators are re-run, never forked, and rounds merge by their state.
import { BoundError, InputError, invariant, type BoundName, type Position } from '../base/index.ts';
import type { Instruction, Machine } from '../machine/index.ts';
import { OpKind, type Op } from '../op/index.ts';
import { Cursor, MAX_EMPTY_ROUNDS, type Segment } from './cursor.ts';
import { Frames, UNRESOLVED, type Frame } from './frames.ts';
import type { IdleInstances } from './idle-instances.ts';
import { End, type LoopDetail } from './loop.ts';
import { NodeKind, Nodes } from './nodes.ts';
import { NondeterminismError } from './nondeterminism.ts';
import { misuseOf, type Misuse, type Owned } from './ownership.ts';
import type { Pending } from './pending-operations.ts';
import type { Program } from './program.ts';
import { Resolver } from './resolve.ts';
import { isFailure } from './rows-of-tries.ts';
import type { StepId, Steps } from './steps.ts';
import { decodeValue, encodeValue, ReturnedObjects, type EncodedValue } from './value.ts';

/** Generators kept open at the tips of the graph, so that a chain is not re-run at each step. */
const MAX_OPEN_CURSORS = 2048;
/** So many steps fit into memory. Rounds of a `loop` share theirs, those of a `for` do not. */
export const MAX_STEPS = 10_000_000;
/** So many steps are made again: a choice in a `for` replays all rounds before it. */
const MAX_REPLAYED = 50_000_000;
const ROOT = -1;
const RESOLVING = -2;

/**
 * The steps of every role of a program, unfolded on demand (P06–P08). A step is a node; an answer
 * leads from node to node. Histories never merge by themselves: what merges is a round of a loop,
 * which is known by its loop's node and its state alone.
 */
export class Unfolding implements Steps {
  readonly program: Program;
  readonly resolver: Resolver;
  readonly nodes = new Nodes();
  canCircle = false;
  readonly #frames = new Frames();
  readonly #returned = new ReturnedObjects();
  readonly #results: { readonly encoded: EncodedValue; readonly dead: readonly number[] }[] = [];
  readonly #resultIds = new Map<string, number>();
  readonly #ends: number[] = [];
  readonly #cursors = new Map<StepId, Cursor>();
  /** Steps after which a role could not be unfolded, and why: it is so whenever one is followed. */
  readonly #broken = new Map<StepId, unknown>();
  #resolving = 0;
  #replayed = 0;
  /** How many instances of roles were made, each by a call of the kernel. */
  instances = 0;
  /** Instances for further rounds, if rounds need not be fresh. */
  idle: IdleInstances | null = null;

  constructor(program: Program, machine: Machine) {
    this.program = program;
    this.resolver = new Resolver(program, machine);
  }

  entry(role: number): StepId {
    return this.#entryOf(this.#frames.root(role));
  }

  instruction(step: StepId): Instruction | null {
    return this.nodes.fields[step]!.instruction;
  }

  misuse(step: StepId): Misuse | null {
    return this.nodes.fields[step]!.misuse;
  }

  isRetry(step: StepId): boolean {
    return this.nodes.fields[step]!.retry;
  }

  /** Whether a round of a loop starts with a step. */
  startsRound(step: StepId): boolean {
    const { frame } = this.nodes.fields[step]!;
    if (frame === ROOT) return false;
    const { loop, entry } = this.#frames.get(frame);
    return loop !== ROOT && entry === step;
  }

  follow(step: StepId, answer: number): StepId {
    const known = this.nodes.child(step, answer);
    return known >= 0 ? known : this.#expand(step, answer);
  }

  known(step: StepId, answer: number): StepId {
    return this.nodes.child(step, answer);
  }

  answers(step: StepId): readonly number[] {
    return this.nodes.answers(step);
  }

  get size(): number {
    return this.nodes.size + this.nodes.links;
  }

  position(step: StepId): Position | undefined {
    const isEnd = this.nodes.fields[step]!.kind === NodeKind.end;
    if (!isEnd && !this.nodes.positions.has(step)) this.#capture(step);
    return this.nodes.positions.get(step);
  }

  otherPosition(step: StepId): Position | undefined {
    this.position(step);
    return this.nodes.otherPositions.get(step);
  }

  /** P08: captures the places of `step` and of the steps around it, by re-running its role. */
  #capture(step: StepId): void {
    let origin = step;
    let answer = 0;
    do {
      answer = this.nodes.parentAnswer[origin]!;
      origin = this.nodes.parent[origin]!;
    } while (origin !== ROOT && !isStop(this.nodes.fields[origin]!.kind));
    const { frame } = this.nodes.fields[step]!;
    const cursor = origin === ROOT ? this.#start(frame, true) : this.#replay(origin, true);
    const segment =
      origin === ROOT ? cursor.resume(undefined) : this.#resume(cursor, origin, answer);
    let node = origin === ROOT ? this.#frames.get(frame).entry : this.nodes.child(origin, answer);
    const { posted, yielded, places } = segment;
    for (const [index, op] of [...posted, ...(yielded === null ? [] : [yielded])].entries()) {
      if (op.kind === OpKind.loop) return;
      if (places[index] !== undefined) this.nodes.positions.set(node, places[index]);
      const otherAt = misuseOf(op)?.other.at;
      if (otherAt !== undefined) this.nodes.otherPositions.set(node, otherAt);
      if (node === step) return;
      node = this.nodes.child(node, 0);
    }
    // What is left are stages and operations that a role leaks: their place is their call.
    for (const { place } of this.#leaks(frame, cursor, segment)) {
      if (place !== undefined) this.nodes.positions.set(node, place);
      node = this.nodes.child(node, 0);
    }
  }

  owned(step: StepId): readonly Owned[] {
    return this.#at(step)?.context.ownership.live.values() ?? [];
  }

  pending(step: StepId): readonly Pending[] {
    return this.#at(step)?.context.ownership.pending.since(0) ?? [];
  }

  /** The role as it stood at its last wait before a step, if it has come to one. */
  #at(step: StepId): Cursor | null {
    let stop = step;
    while (stop !== ROOT && !isStop(this.nodes.fields[stop]!.kind)) stop = this.nodes.parent[stop]!;
    return stop === ROOT ? null : this.#replay(stop, true);
  }

  #entryOf(id: number): StepId {
    const frame = this.#frames.get(id);
    if (frame.entry >= 0) return frame.entry;
    if (frame.entry === RESOLVING) {
      const { name } = this.program.roles[frame.role]!;
      throw new InputError(`a loop in role ${name} never ends and executes no operation`);
    }
    return this.#resolveEntry(id, () => this.#start(id, false));
  }

  #resolveEntry(id: number, start: () => Cursor): StepId {
    const frame = this.#frames.get(id);
    frame.entry = RESOLVING;
    if (++this.#resolving > MAX_EMPTY_ROUNDS) {
      const { name } = this.program.roles[frame.role]!;
      throw new InputError(
        `a loop in role ${name} makes more than ${MAX_EMPTY_ROUNDS} rounds without an operation`,
      );
    }
    try {
      const cursor = start();
      return this.#attach(ROOT, 0, id, cursor, cursor.resume(undefined));
    } finally {
      this.#resolving--;
      if (frame.entry === RESOLVING) frame.entry = UNRESOLVED;
    }
  }

  /** A cursor at the start of a frame: a fresh role instance, or a fresh round of a loop. */
  #start(id: number, capture: boolean): Cursor {
    const frame = this.#frames.get(id);
    if (frame.loop === ROOT) {
      this.instances++;
      return new Cursor(this.program.instance(frame.role, capture));
    }
    const idle = capture ? undefined : this.idle?.take(frame);
    if (idle !== undefined) {
      const detail = idle.innermost!;
      idle.leave(undefined);
      this.#enterRound(idle, frame, detail);
      return idle;
    }
    const cursor = this.#replay(frame.loop, capture);
    this.#startRound(cursor, frame);
    return cursor;
  }

  #startRound(cursor: Cursor, frame: Frame): void {
    this.#enterRound(cursor, frame, this.#leaveOuter(cursor, frame.dead));
  }

  #enterRound(cursor: Cursor, frame: Frame, detail: LoopDetail): void {
    const { ownership, declarations } = cursor.context;
    const first = ownership.nextId;
    const { value, handles } = decodeValue(frame.state!, declarations, first);
    cursor.enter(detail, value);
    this.#own(cursor, frame.state!, handles);
  }

  /**
   * Handles that were moved into the loop at its start, or released in it, are no longer owned; nor
   * has an operation still to be performed that was performed in it.
   */
  #leaveOuter(cursor: Cursor, dead: readonly number[]): LoopDetail {
    const detail = cursor.standingLoop;
    const { ownership } = cursor.context;
    if (!ownership.hasLeft) return detail;
    for (const id of this.#encode(cursor, detail, detail.state).ids) ownership.live.delete(id);
    for (const id of dead) ownership.forget(id);
    return detail;
  }

  #own(cursor: Cursor, encoded: EncodedValue, handles: readonly { readonly id: number }[]): void {
    const { ownership } = cursor.context;
    ownership.nextId += handles.length;
    handles.forEach((handle, number) => {
      if (!encoded.handles[number]!.live) return;
      ownership.live.set(handle as never, undefined);
    });
  }

  /** A cursor at `node`, by re-running its frame with the answers that led there. */
  #replay(node: StepId, capture: boolean): Cursor {
    const { nodes } = this;
    const stops: StepId[] = [];
    const answers: number[] = [];
    let answer = 0;
    for (let at = node; at !== ROOT; at = nodes.parent[at]!) {
      if (isStop(nodes.fields[at]!.kind)) {
        stops.push(at);
        answers.push(answer);
      }
      answer = nodes.parentAnswer[at]!;
    }
    const { frame } = nodes.fields[node]!;
    const cursor = this.#start(frame, capture);
    const first = this.#frames.get(frame).entry;
    this.#requireSame(first, cursor.resume(undefined), frame, capture);
    for (let i = stops.length - 1; i > 0; i--) {
      if (++this.#replayed > MAX_REPLAYED) this.#refuse(frame, 'replayed', MAX_REPLAYED);
      const segment = this.#resume(cursor, stops[i]!, answers[i]!);
      this.#requireSame(nodes.child(stops[i]!, answers[i]!), segment, frame, capture);
    }
    invariant(cursor.standing !== null, 'a replayed role stands at an operation');
    return cursor;
  }

  /** Resumes a cursor at `node`: a loop is skipped to its result. */
  #resume(cursor: Cursor, node: StepId, answer: number): Segment {
    const { kind, instruction } = this.nodes.fields[node]!;
    if (kind !== NodeKind.loop) {
      const isMiss = instruction !== null && isFailure(instruction, answer);
      return isMiss ? cursor.resumeWithPlaces(answer) : cursor.resume(answer);
    }
    const { encoded, dead } = this.#results[answer]!;
    const detail = this.#leaveOuter(cursor, dead);
    const { ownership, declarations } = cursor.context;
    const { value, handles } = decodeValue(encoded, declarations, ownership.nextId);
    this.#own(cursor, encoded, handles);
    detail.result = value;
    return cursor.resume(0);
  }

  #expand(node: StepId, answer: number): StepId {
    const { kind, frame } = this.nodes.fields[node]!;
    // P02: the answer of a posted operation is not used.
    const posted = kind === NodeKind.posted ? this.nodes.child(node, 0) : -1;
    if (posted >= 0) return posted;
    if (this.#broken.has(node)) throw this.#broken.get(node);
    invariant(isStop(kind), 'only a yielded operation or a loop has a result to follow');
    const cursor = this.#cursors.get(node) ?? this.#replay(node, false);
    this.#cursors.delete(node);
    return this.#attach(node, answer, frame, cursor, this.#resume(cursor, node, answer));
  }

  #refuse(frame: number, bound: BoundName, limit: number): never {
    const { name } = this.program.roles[this.#frames.get(frame).role]!;
    throw new BoundError(
      bound,
      limit,
      `role ${name} executes too many operations outside of a loop`,
    );
  }

  /** Turns a segment into nodes after `parent`, and returns the first step of it. */
  #attach(parent: StepId, answer: number, frame: number, cursor: Cursor, segment: Segment): StepId {
    const role = this.#frames.get(frame).role;
    let last = parent;
    let lastAnswer = answer;
    let first = -1;
    const link = (node: StepId): void => {
      if (first < 0) {
        first = node;
        // A loop that ends at once goes on from here, which makes the frame's start again.
        if (parent === ROOT) this.#frames.get(frame).entry = first;
      }
      if (last !== ROOT) this.nodes.link(last, lastAnswer, node);
    };
    const add = (op: Op, kind: NodeKind): StepId => {
      if (this.nodes.size >= MAX_STEPS) this.#refuse(frame, 'steps', MAX_STEPS);
      const misuse = misuseOf(op);
      const isLoop = op.kind === OpKind.loop;
      const instruction = misuse !== null || isLoop ? null : this.resolver.resolve(op, role);
      const place = kind === NodeKind.yielded ? segment.places.at(-1) : undefined;
      const retry = instruction !== null && this.#isRetry(instruction, place, last, lastAnswer);
      const fields = { kind, role, frame, instruction, misuse, retry };
      const node = this.nodes.add(fields, last, lastAnswer);
      if (!isLoop) link(node);
      last = node;
      lastAnswer = 0;
      return node;
    };
    try {
      for (const op of segment.posted) {
        add(op, misuseOf(op) === null ? NodeKind.posted : NodeKind.misuse);
      }
      if (segment.yielded === null) {
        for (const { op } of this.#leaks(frame, cursor, segment)) add(op, NodeKind.misuse);
        const isFree = !this.#hasCounted(last, lastAnswer);
        link(this.#finish(frame, cursor, segment.returned, isFree));
      } else if (segment.yielded.kind === OpKind.loop) {
        const before = { last, lastAnswer };
        const node = add(segment.yielded, NodeKind.loop);
        last = before.last;
        lastAnswer = before.lastAnswer;
        link(this.#enterLoop(node, cursor));
      } else {
        const node = add(segment.yielded, NodeKind.yielded);
        this.#keep(node, cursor);
      }
    } catch (error) {
      if (last !== parent) this.#broken.set(last, error);
      throw error;
    }
    return first;
  }

  #keep(node: StepId, cursor: Cursor): void {
    if (this.#cursors.size >= MAX_OPEN_CURSORS) {
      const [oldest] = this.#cursors.keys();
      this.#cursors.delete(oldest!);
    }
    this.#cursors.set(node, cursor);
  }

  /**
   * P07: whether a step follows equal tries that failed, so many that it is taken for a poll; one
   * is enough where the text shows that they leave nothing behind.
   */
  #isRetry(
    instruction: Instruction,
    place: Position | undefined,
    last: StepId,
    lastAnswer: number,
  ): boolean {
    const { nodes } = this;
    if (!nodes.failed(instruction, last, lastAnswer)) return false;
    const { rows } = this.program;
    if (rows.isTraceless(instruction, place)) return true;
    for (let [step, failures] = [last, 1]; failures < rows.most; failures++) {
      if (!nodes.repeats(step)) return false;
      step = nodes.parent[step]!;
    }
    rows.cutOff(instruction, place);
    return true;
  }

  #enterLoop(node: StepId, cursor: Cursor): StepId {
    const { role } = this.nodes.fields[node]!;
    const detail = cursor.standingLoop;
    this.#returned.note(detail.state);
    const state = this.#encode(cursor, detail, detail.state);
    const moved = new Set(state.ids);
    const { live, pending } = cursor.context.ownership;
    const owned = live.ids().filter((id) => !moved.has(id));
    const outer = [...owned, ...pending.ids()];
    const { id, isNew } = this.#frames.round(role, node, state, [], outer);
    if (!isNew) return this.#entryOf(id);
    // The first round goes on in the instance that stands here; a fresh one would do the same.
    return this.#resolveEntry(id, () => {
      this.#startRound(cursor, this.#frames.get(id));
      return cursor;
    });
  }

  /** Whether the round that leads to a node took an item from a count, so that it must end. */
  #hasCounted(last: StepId, lastAnswer: number): boolean {
    let answer = lastAnswer;
    for (let node = last; node !== ROOT; node = this.nodes.parent[node]!) {
      if (this.nodes.fields[node]!.instruction?.kind === OpKind.more && answer === 1) return true;
      answer = this.nodes.parentAnswer[node]!;
    }
    return false;
  }

  /** The step after a body or a round has returned. */
  #finish(id: number, cursor: Cursor, returned: unknown, isFree: boolean): StepId {
    const frame = this.#frames.get(id);
    if (frame.loop === ROOT) return this.#end(frame.role);
    const isEnd = returned instanceof End;
    const detail = cursor.innermost!;
    const encoded = isEnd
      ? this.#encode(cursor, detail, returned.result)
      : this.#encode(cursor, detail, returned, this.#returned);
    const { ownership } = cursor.context;
    const dead = frame.outer.filter((outer) => !ownership.has(outer));
    if (!isEnd) {
      this.idle?.rest(frame, cursor, encoded);
      const next = this.#frames.round(frame.role, frame.loop, encoded, dead, frame.outer);
      // Back in a round that was made before, and nothing counted down on the way.
      if (!next.isNew && isFree) this.canCircle = true;
      return this.#entryOf(next.id);
    }
    const key = `${encoded.key}|${dead.join()}`;
    let result = this.#resultIds.get(key);
    if (result === undefined) {
      result = this.#results.push({ encoded, dead }) - 1;
      this.#resultIds.set(key, result);
    }
    return this.follow(frame.loop, result);
  }

  /** The stages and operations that a body or a round leaves behind (O04, P13). */
  #leaks(id: number, cursor: Cursor, segment: Segment) {
    if (segment.yielded !== null) return [];
    const frame = this.#frames.get(id);
    const { ownership } = cursor.context;
    if (frame.loop === ROOT) return ownership.leaks(0, []);
    const { returned } = segment;
    cursor.requireRound(returned);
    if (!ownership.hasLeft) return [];
    const value: unknown = returned instanceof End ? returned.result : returned;
    const carried = this.#encode(cursor, cursor.innermost!, value);
    return ownership.leaks(cursor.firstId, carried.ids);
  }

  #encode(
    { context: { role, ownership } }: Cursor,
    loop: LoopDetail,
    value: unknown,
    returned: ReturnedObjects | null = null,
  ): EncodedValue {
    const owner = { role: role.name, loop };
    return encodeValue(value, owner, (id) => ownership.live.has(id), returned);
  }

  #end(role: number): StepId {
    const fields = { kind: NodeKind.end, role, frame: -1, instruction: null, misuse: null };
    return (this.#ends[role] ??= this.nodes.add({ ...fields, retry: false }, ROOT, 0));
  }

  /** P09: a re-run must take the steps that it took before. */
  #requireSame(first: StepId, segment: Segment, frame: number, capture: boolean): void {
    const { role, loop } = this.#frames.get(frame);
    let node = first;
    const { posted, yielded, places } = segment;
    const steps = yielded === null ? posted : [...posted, yielded];
    for (const [index, op] of steps.entries()) {
      const position = places[index];
      if (op.kind === OpKind.loop) return;
      const expected = this.nodes.fields[node];
      const misuse = misuseOf(op);
      const found = misuse === null ? this.resolver.resolve(op, role) : null;
      const same =
        expected !== undefined &&
        (misuse === null ? expected.instruction === found : expected.misuse?.rule === misuse.rule);
      if (!same) throw new NondeterminismError(role, node, found, position, loop !== ROOT);
      if (capture && position !== undefined) this.nodes.positions.set(node, position);
      node = this.nodes.child(node, 0);
    }
  }
}

/** Whether a role waits at such a node and is resumed with an answer. */
function isStop(kind: NodeKind): boolean {
  return kind === NodeKind.yielded || kind === NodeKind.loop;
}
