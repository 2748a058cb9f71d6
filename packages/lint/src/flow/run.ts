// One walk through a function: where abrupt completions go, who is calling whom, what is reported.
import type { ClassNode, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { Cause, Tier } from './cause.ts';
import type { HandlerReleases } from './handlers.ts';
import type { FlowFinding, FindingKind, Reason } from './report.ts';
import { fold } from './fold.ts';
import {
  type ArgumentFaultKind,
  type Instance,
  type SourceRange,
  type FlowState,
} from './state.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

export interface Evaluated {
  readonly state: FlowState;
  readonly value: Value;
  /** An optional chain ended early: the rest of it is not evaluated. */
  readonly short?: true;
}

export interface Abrupt {
  readonly kind: 'throw' | 'return' | 'break' | 'continue';
  readonly label: string | undefined;
  readonly state: FlowState;
}

export interface CallFrame {
  readonly fn: FunctionNode | undefined;
  readonly file: SourceFile;
  /** What called it, in the frame below; `undefined` for the function that is analysed itself. */
  readonly call: Node | undefined;
  readonly isRole: boolean;
}

/** Walking is cut off after this many steps for one function: generated code, or a bug of ours. */
export const MAX_STEPS = 12_000;
/** And after this many where it is only asked what another function does. */
export const MAX_SILENT_STEPS = 3000;
/** Functions are followed into one another this deep. */
export const MAX_DEPTH = 5;

interface Loss {
  readonly instance: Instance;
  readonly cause: Cause;
}

function isLoss(loss: { instance: Instance; cause: Cause | undefined }): loss is Loss {
  return loss.cause !== undefined;
}

export class FlowRun {
  readonly world: World;
  readonly root: CallFrame;
  readonly frames: CallFrame[] = [];
  sink: Abrupt[] = [];
  steps = 0;
  /** Above zero, findings are not told: the walk only asks what would happen. */
  silenced = 0;
  /** The class whose `this` is walked, and whether it is still being constructed. */
  owner: ClassNode | undefined;
  isConstructing = false;
  /** Whether faults with a caller's handles are noted in the state, for the caller to tell. */
  readonly recordsFaults: boolean;
  /** Told of every use and release of a handle, while a closure is only looked through. */
  onAccess: ((what: 'use' | 'release', id: string, place: SourceRange) => void) | undefined;
  /** Functions that release what their callbacks leave behind, of the callbacks we are in. */
  readonly cleanups: string[] = [];
  /** The module variables that were read. */
  readonly variablesRead = new Set<Variable>();
  /** How many times the walk has waited for something. */
  waits = 0;
  /** Told of every value that a generator hands out. */
  onYield: ((state: FlowState, value: Value) => void) | undefined;
  /** What the blocks around the current statement declare. */
  readonly scopes: (readonly Variable[])[] = [];
  /** The expressions that are statements: nobody wants what they answer. */
  readonly statements = new Set<Node>();
  /** What a `return` answers. */
  returned: Node | undefined;
  /** The label of the loop that is about to start. */
  label: string | undefined;
  /** Methods of `this` are not walked where they are called: too much came of it. */
  isShallow = false;
  /** How many handlers of exceptions the walk is in. */
  catches = 0;
  /** It is there to throw: what it would leave behind otherwise is not claimed. */
  neverEnds = false;
  /** What the handlers of events release, by the object that has them. */
  readonly handled = new Map<string, HandlerReleases>();
  /** Handles that this function releases after somebody else may have taken them. */
  readonly released = new Set<string>();
  /** Handles that this function releases in its own code. */
  readonly direct = new Set<string>();
  /** Handles that a closure releases, with how it fails to; `undefined` where there is no way. */
  readonly #delegated = new Map<string, Loss | undefined>();
  readonly #pending: FlowFinding[] = [];
  readonly #maxSteps: number;

  constructor(world: World, root: CallFrame, notesFaults = false, maxSteps = MAX_STEPS) {
    this.#maxSteps = maxSteps;
    this.world = world;
    this.root = root;
    this.frames.push(root);
    this.recordsFaults = notesFaults;
    this.owner = root.fn?.owner;
    this.isConstructing = root.fn?.form === 'constructor';
    const tidy = root.fn && world.tidiedBy(root.fn);
    if (tidy !== undefined) this.cleanups.push(tidy);
  }

  get frame(): CallFrame {
    return this.frames.at(-1)!;
  }

  /** Whether the bound was hit: what was not seen can not be claimed. */
  get wasExhausted(): boolean {
    return this.steps > this.#maxSteps;
  }

  get isExhausted(): boolean {
    return ++this.steps > this.#maxSteps;
  }

  place(node: { readonly start: number; readonly end: number }): SourceRange {
    return { file: this.frame.file, start: node.start, end: node.end };
  }

  takeLabel(): string | undefined {
    const { label } = this;
    this.label = undefined;
    return label;
  }

  /** Whether the current code is part of the function that is analysed. */
  isLexical(frame: CallFrame): boolean {
    const { fn } = this.root;
    if (frame === this.root || frame.fn === undefined) return true;
    if (frame.file !== this.root.file) return false;
    if (fn === undefined) return frame.fn.outer === undefined || frame.call === undefined;
    for (let each: FunctionNode | undefined = frame.fn; each; each = each.outer) {
      if (each === fn) return true;
    }
    return false;
  }

  /** Where a finding about a caller's handle belongs: at the call that led out of its function. */
  attributed(place: SourceRange): SourceRange {
    for (let at = 1; at < this.frames.length; at++) {
      const frame = this.frames[at]!;
      if (this.isLexical(frame) || frame.call === undefined) continue;
      const { start, end } = frame.call;
      return { file: this.frames[at - 1]!.file, start, end };
    }
    return place;
  }

  /** Collects the abrupt completions of `body` apart. */
  catching<T>(body: () => T): [T, Abrupt[]] {
    const outer = this.sink;
    this.sink = [];
    const result = body();
    const caught = this.sink;
    this.sink = outer;
    return [result, foldAbrupt(caught)];
  }

  /** Control may leave here by an exception, if exceptions of this tier count. */
  raise(state: FlowState, tier: Tier, what: string, node: Node, isMisuse = false): void {
    if (tier === 2 && !this.world.strict) return;
    const cause: Cause = { tier, what, start: node.start, file: this.frame.file, isMisuse };
    this.abrupt('throw', { ...state, cause });
  }

  rethrow(state: FlowState, cause: Cause): void {
    if (cause.tier === 2 && !this.world.strict) return;
    this.abrupt('throw', { ...state, cause });
  }

  abrupt(kind: Abrupt['kind'], state: FlowState, label?: string): void {
    this.sink.push({ kind, label, state });
  }

  /** Does what would happen without telling anybody. */
  silently<T>(body: () => T): T {
    this.silenced++;
    const result = body();
    this.silenced--;
    return result;
  }

  fault(
    kind: ArgumentFaultKind | 'release-order',
    state: FlowState,
    instance: Instance,
    place: SourceRange,
    more: { other?: SourceRange | undefined; reason?: Reason } = {},
  ): FlowState {
    if (this.recordsFaults && !instance.site.isOwn && kind !== 'release-order') {
      const noted = state.faults.some(
        (each) => each.instance === instance.id && each.kind === kind,
      );
      if (noted) return state;
      return { ...state, faults: [...state.faults, { kind, instance: instance.id }] };
    }
    this.tell(kind, instance, place, state.cause, more);
    return state;
  }

  tell(
    kind: FindingKind,
    instance: Instance | undefined,
    where: SourceRange,
    cause: Cause | undefined,
    more: { other?: SourceRange | undefined; reason?: Reason | undefined } = {},
  ): void {
    if (this.silenced > 0) return;
    const { file, start, end } = kind === 'leak' ? where : this.attributed(where);
    const { other, reason } = more;
    const what = where.file.text.slice(where.start, where.end);
    const finding = { kind, file, start, end, instance, cause, other, what, reason };
    this.#pending.push(finding);
  }

  /** How much was found so far. */
  get found(): number {
    return this.#pending.length;
  }

  /** Takes back what was lost by exceptions since then: whoever catches them ends the process. */
  retract(since: number): void {
    const remaining = this.#pending.splice(since).filter(({ kind, cause }) => {
      return kind !== 'leak' || cause === undefined;
    });
    this.#pending.push(...remaining);
  }

  /** A closure that goes elsewhere is to release a handle: the only one, if no other does. */
  delegate(instance: Instance | undefined, cause: Cause | undefined): void {
    if (instance === undefined || this.silenced > 0) return;
    if (instance.isGuess) this.released.add(instance.id);
    const isOnly = instance.status === 'live' && !this.#delegated.has(instance.id);
    // Whoever else was given it: it is here that it is released.
    const loss = { instance: { ...instance, isShared: false }, cause };
    this.#delegated.set(instance.id, isOnly && isLoss(loss) ? loss : undefined);
  }

  /** Tells what was found, once everything was seen. */
  finish(): void {
    for (const loss of this.#delegated.values()) {
      if (loss === undefined || this.direct.has(loss.instance.id)) continue;
      this.tell('leak', loss.instance, loss.instance.site, loss.cause);
    }
    for (const finding of this.#pending) {
      const { kind, instance } = finding;
      if (kind === 'leak' && this.wasExhausted) continue;
      if (kind === 'leak' && this.neverEnds && finding.cause === undefined) continue;
      // Whether a shared handle is this function's to release shows only at its end.
      if (kind === 'leak' && instance?.isShared && !this.released.has(instance.id)) continue;
      this.world.report(finding);
    }
    this.#pending.length = 0;
  }
}

/** One completion of each kind per situation. */
export function foldAbrupt(all: readonly Abrupt[]): Abrupt[] {
  if (all.length < 2) return [...all];
  const kinds = new Map<string, Abrupt[]>();
  for (const each of all) {
    // Causes of different tiers make different findings.
    const tier = each.kind === 'throw' ? each.state.cause?.tier : '';
    const key = `${each.kind}${each.label ?? ''}${tier}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, [each]);
    else known.push(each);
  }
  return [...kinds.values()].flatMap((group) => {
    const { kind, label } = group[0]!;
    return fold(group.map(({ state }) => state)).map((state) => ({ kind, label, state }));
  });
}
