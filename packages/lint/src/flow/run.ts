// The context of one walk through a function: abrupt completions, call stack, findings.
import type { ClassNode, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { LeakCause, Tier } from './cause.ts';
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
  /** The optional chain short-circuited: the rest is not evaluated. */
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
  /** The call in the frame below; `undefined` for the analyzed function itself. */
  readonly call: Node | undefined;
  readonly isRole: boolean;
}

/** The most steps for one function, as a bound for generated code. */
export const MAX_STEPS = 12_000;
/** The most steps for the summary of a callee. */
export const MAX_SILENT_STEPS = 3000;
/** The deepest nesting of followed calls. */
export const MAX_DEPTH = 5;

interface Loss {
  readonly instance: Instance;
  readonly cause: LeakCause;
}

function isLoss(loss: { instance: Instance; cause: LeakCause | undefined }): loss is Loss {
  return loss.cause !== undefined;
}

export class FlowRun {
  readonly world: World;
  readonly root: CallFrame;
  readonly frames: CallFrame[] = [];
  sink: Abrupt[] = [];
  steps = 0;
  /** Above zero, findings are not reported: the walk only computes effects. */
  silenced = 0;
  /** The class whose `this` is walked, and whether it is still being constructed. */
  owner: ClassNode | undefined;
  isConstructing = false;
  /** Whether misuse of a caller's handles is recorded in the state, to be reported at the call. */
  readonly recordsFaults: boolean;
  /** Called for every use and release of a handle during a silent walk of a closure. */
  onAccess: ((what: 'use' | 'release', id: string, place: SourceRange) => void) | undefined;
  /** Called when a handle that is already released is released again. */
  onRepeatedRelease: (() => void) | undefined;
  /** Functions that release handles of their callbacks, for the callbacks being walked. */
  readonly cleanups: string[] = [];
  /** The module variables that were read. */
  readonly variablesRead = new Set<Variable>();
  /** The number of awaits so far. */
  waits = 0;
  /** Called for every value that a generator yields. */
  onYield: ((state: FlowState, value: Value) => void) | undefined;
  /** The variables declared by the blocks around the current statement. */
  readonly scopes: (readonly Variable[])[] = [];
  /** The expressions that are statements, whose value is not used. */
  readonly statements = new Set<Node>();
  /** The expression of the current `return`. */
  returned: Node | undefined;
  /** The expression of the current condition: reading it for that takes nothing over. */
  tested: Node | undefined;
  /** The label of the loop that is about to start. */
  label: string | undefined;
  /** Initializes the fields, once `super()` has returned. */
  initialize: ((state: FlowState) => FlowState[]) | undefined;
  /** Calls of methods of `this` are not followed, after a walk hit its bound. */
  isShallow = false;
  /** The number of enclosing exception handlers. */
  catches = 0;
  /** The function is expected to throw: leaks on its normal exits are not reported. */
  neverEnds = false;
  /** The handles that event handlers release, by the object that has them. */
  readonly handled = new Map<string, HandlerReleases>();
  /** Shared handles that this function releases. */
  readonly released = new Set<string>();
  /** Handles that this function releases in its own code. */
  readonly direct = new Set<string>();
  /** Handles that a closure releases, with the exception that prevents it, if any. */
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

  /** Whether the bound was hit: the results are then incomplete. */
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

  /** Whether the current code is part of the analyzed function. */
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

  /** The position to report for a caller's handle: the call that left its function. */
  attributed(place: SourceRange): SourceRange {
    for (let at = 1; at < this.frames.length; at++) {
      const frame = this.frames[at]!;
      if (this.isLexical(frame) || frame.call === undefined) continue;
      const { start, end } = frame.call;
      return { file: this.frames[at - 1]!.file, start, end };
    }
    return place;
  }

  /** Collects the abrupt completions of `body` separately. */
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
    const { start, end } = node;
    const place = { file: this.frame.file, start, end };
    // Code of another function is attributed to the call that leads there.
    const { file, start: at } = this.attributed(place);
    const isInside = file === place.file && at === start;
    const verb = isInside || what !== 'throws' ? what : 'may throw';
    const cause: LeakCause = { tier, what: verb, start: at, file, isMisuse };
    this.abrupt('throw', { ...state, cause });
  }

  rethrow(state: FlowState, cause: LeakCause): void {
    if (cause.tier === 2 && !this.world.strict) return;
    this.abrupt('throw', { ...state, cause });
  }

  abrupt(kind: Abrupt['kind'], state: FlowState, label?: string): void {
    this.sink.push({ kind, label, state });
  }

  /** Runs `body` without reporting findings. */
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
    this.addFinding(kind, instance, place, state.cause, more);
    return state;
  }

  addFinding(
    kind: FindingKind,
    instance: Instance | undefined,
    where: SourceRange,
    cause: LeakCause | undefined,
    more: { other?: SourceRange | undefined; reason?: Reason | undefined } = {},
  ): void {
    if (this.silenced > 0) return;
    const { file, start, end } = kind === 'leak' ? where : this.attributed(where);
    const { other, reason } = more;
    const what = where.file.text.slice(where.start, where.end);
    const walked = this.root.fn ?? this.root.file;
    const finding = { kind, file, start, end, instance, cause, other, what, reason, walked };
    this.#pending.push(finding);
  }

  /** The number of findings so far. */
  get found(): number {
    return this.#pending.length;
  }

  /** Removes leaks by exceptions since then: their handler ends the process. */
  retract(since: number): void {
    const remaining = this.#pending.splice(since).filter(({ kind, cause }) => {
      return kind !== 'leak' || cause === undefined;
    });
    this.#pending.push(...remaining);
  }

  /** Records that an escaping closure releases a handle, and how it may fail to. */
  delegate(instance: Instance | undefined, cause: LeakCause | undefined): void {
    // A release in a function that runs later is no other path.
    if (instance === undefined || instance.needsProof || this.silenced > 0) return;
    if (instance.isGuess) this.released.add(instance.id);
    const isOnly = instance.status === 'live' && !this.#delegated.has(instance.id);
    // Even if the handle is shared, it is released here.
    const loss = { instance: { ...instance, isShared: false }, cause };
    this.#delegated.set(instance.id, isOnly && isLoss(loss) ? loss : undefined);
  }

  /** Reports the findings at the end of the walk. */
  finish(): void {
    for (const loss of this.#delegated.values()) {
      if (loss === undefined || this.direct.has(loss.instance.id)) continue;
      this.addFinding('leak', loss.instance, loss.instance.site, loss.cause);
    }
    const lost = new Set(
      this.#pending.flatMap(({ kind, instance }) => {
        return kind === 'leak' && instance ? instance.id : [];
      }),
    );
    for (const finding of this.#pending) {
      const { kind, instance } = finding;
      // A dependent handle that is never released is reported as a leak.
      if (kind === 'release-order' && lost.has(instance?.id ?? '')) continue;
      if (kind === 'leak' && this.wasExhausted) continue;
      if (kind === 'leak' && this.neverEnds && finding.cause === undefined) continue;
      // Whether this function must release a shared handle is known only at its end.
      if (kind === 'leak' && instance?.isShared && !this.released.has(instance.id)) continue;
      const isReleasedElsewhere = this.direct.has(instance?.id ?? '');
      this.world.report({ ...finding, isReleasedElsewhere });
    }
    this.#pending.length = 0;
  }
}

/** Merges completions of equal kind and state. */
export function foldAbrupt(all: readonly Abrupt[]): Abrupt[] {
  if (all.length < 2) return [...all];
  const kinds = new Map<string, Abrupt[]>();
  for (const each of all) {
    // Causes of different tiers are different findings.
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
