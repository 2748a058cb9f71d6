// The steps of a program as linked nodes, so that following a step costs one pointer access.
import { invariant, unreachable } from '@poundlock/core/internal/base';
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import {
  CATALOGUE,
  isSilent,
  isWide,
  OpKind,
  type InstructionKind,
} from '@poundlock/core/internal/op';
import { Stand, standAt, Unfolding } from '@poundlock/core/internal/program';
import type { Misuse, Program, StepId, Steps } from '@poundlock/core/internal/program';
import { CountRegister, StageRegister, type SystemLayout } from '@poundlock/core/internal/system';
import { type Effect, EFFECTS } from './effect.ts';
import { FlightClasses } from './flight-class.ts';
import { FREES } from './frees.ts';
import { Mechanisms } from './mechanisms.ts';
import { isGroupWait, priceIndex, type PriceContext } from './prices.ts';

/** Results below this, such as stages, index a list of successors; others are keys of a map. */
const LISTED_ANSWERS = 64;

/** By kind: 1 for operations that can make a role wait. */
const MAY_WAIT = Uint8Array.from(CATALOGUE, (entry) => {
  return Number(entry.class === 'blocking' || entry.cost === 'use');
});

/** How a role passes a step. */
export const PassKind = {
  /** Visible to other roles, or a wait for them. */
  visible: 0,
  /** Advances a register that is already resolved, or counts one down. */
  step: 1,
  count: 2,
  /** Takes time and has no other effect. */
  compute: 3,
  /** Invisible to other roles, and takes no time. */
  silent: 4,
} as const;
export type PassKind = (typeof PassKind)[keyof typeof PassKind];

/** One step. `instruction` is `null` at the end of a role. */
export class StepNode {
  readonly step: StepId;
  readonly instruction: Instruction | null;
  readonly kind: InstructionKind;
  readonly stand: Stand;
  readonly passKind: PassKind;
  /** What performs it, if it is visible. */
  readonly effect: Effect;
  /** Whether it can make a role wait. */
  readonly mayWait: boolean;
  /** Whether it can end waits for anything other than a barrier phase. */
  readonly frees: boolean;
  /** Whether it starts flights. */
  readonly launches: boolean;
  /** For a wait that is not assumed to have passed: the register that names its stage. */
  readonly waitRegister: StageRegister | null;
  /** For a step that is not tied to a release: the register that it advances. */
  readonly stepRegister: StageRegister | null;
  readonly countRegister: CountRegister | null;
  /** The index of its price. */
  readonly priceAt: number;
  /** Whether it stands for a wait for groups of a warpgroup. */
  readonly isGroupWait: boolean;
  /** Of an arrival of many lanes: those that its barrier counts beside the first. */
  readonly arrivals: number;
  /** Whether it is an arrival at a barrier of another CTA. */
  readonly isRemote: boolean;
  /** The work that it gives the tensor core, if that is specified. */
  readonly workCycles: number;
  /** Of a copy by threads: the instructions of each of them. */
  readonly threadCopies: number;
  /** Threads of its role beside the first. */
  readonly threads: number;
  /** Whether it can hold its role longer than its price says. */
  readonly isHeld: boolean;
  /** Whether a round of a loop starts with it. */
  readonly startsRound: boolean;
  /** P07: whether it is a try that waits until it succeeds. */
  readonly isPoll: boolean;
  /** The next step for the results 0 and 1, the most frequent ones; then by result. */
  first: StepNode | null = null;
  second: StepNode | null = null;
  readonly listed: (StepNode | undefined)[] = [];
  mapped: Map<number, StepNode> | null = null;

  constructor(
    step: StepId,
    instruction: Instruction | null,
    stand: Stand,
    rings: RingContext,
    startsRound: boolean,
    isPoll: boolean,
  ) {
    this.step = step;
    this.isPoll = isPoll;
    this.startsRound = startsRound;
    this.instruction = instruction;
    this.kind = instruction?.kind ?? OpKind.init;
    const isWait = this.kind === OpKind.waitStage && !instruction!.isAssumed;
    this.waitRegister = isWait ? registerOf(rings, instruction) : null;
    const isStep = this.kind === OpKind.step && instruction!.past < 0;
    this.stepRegister = isStep ? registerOf(rings, instruction) : null;
    const isMore = instruction?.kind === OpKind.more;
    this.countRegister = isMore
      ? new CountRegister(rings.program, rings.layout, instruction)
      : null;
    this.priceAt = instruction === null ? 0 : priceIndex(instruction, rings);
    this.isGroupWait = instruction !== null && isGroupWait(instruction, rings.program);
    this.arrivals = instruction === null ? 0 : furtherArrivals(instruction, rings.program);
    this.isRemote = reachesOut(instruction, rings.program);
    this.workCycles = instruction === null ? 0 : rings.classes.workCycles(instruction);
    this.threadCopies = instruction === null ? 0 : rings.classes.threadCopies(instruction);
    this.threads = instruction === null ? 0 : rings.program.roles[instruction.role]!.lanes - 1;
    const isIssue = this.workCycles > 0 || this.threadCopies > 0;
    this.isHeld = this.kind === OpKind.asyncCopy || this.isRemote || isIssue;
    this.stand = stand;
    this.passKind = this.#passKindOf();
    this.effect = EFFECTS[this.kind]!;
    this.mayWait = MAY_WAIT[this.kind] === 1;
    this.frees = FREES[this.kind] === 1;
    this.launches = instruction !== null && instruction.flights.length > 0;
    if (instruction !== null) rings.mechanisms.add(instruction);
  }

  /** The next step for a result, if it is listed. */
  known(answer: number): StepNode | null {
    if (answer === 0) return this.first;
    return answer === 1 ? this.second : (this.listed[answer] ?? null);
  }

  #passKindOf(): PassKind {
    const { kind } = this;
    if (!isSilent(kind)) return PassKind.visible;
    switch (kind) {
      case OpKind.step:
        return this.stepRegister === null ? PassKind.silent : PassKind.step;
      case OpKind.more:
        return PassKind.count;
      case OpKind.compute:
        return PassKind.compute;
      case OpKind.stage:
      case OpKind.fence:
        return PassKind.silent;
      default:
        return unreachable(kind);
    }
  }
}

/** Lanes arrive one after the other, and those of all roles of a phase at the same barrier. */
function furtherArrivals({ kind, lanes, target }: Instruction, program: Program): number {
  if (kind !== OpKind.arrive || lanes <= 1) return 0;
  const { count } = program.declarations.barriers[Math.floor(target / program.ctas)]!;
  return Math.max(count, lanes) - 1;
}

/** Whether it arrives in another CTA with a release for it, which waits for earlier accesses. */
function reachesOut(instruction: Instruction | null, { ctas }: Program): boolean {
  if (instruction?.kind !== OpKind.arrive || !isWide(instruction.order)) return false;
  return instruction.barriers.some((barrier) => barrier % ctas !== instruction.cta);
}

/** What is needed to resolve registers of rings, and to price operations. */
export interface RingContext extends PriceContext {
  readonly layout: SystemLayout;
  /** Gathers what the steps use. */
  readonly mechanisms: Mechanisms;
}

/** The context of a program's steps. */
export function contextOf(program: Program, layout: SystemLayout, machine: Machine): RingContext {
  const classes = new FlightClasses(program, machine);
  const mechanisms = new Mechanisms(program, machine, classes);
  return { program, layout, classes, mechanisms };
}

function registerOf(
  { program, layout }: RingContext,
  instruction: Instruction | null,
): StageRegister {
  invariant(instruction !== null, 'the end of a role waits for no stage');
  return new StageRegister(program, layout, instruction);
}

/** Nodes of the steps that were reached so far. */
export class StepGraph {
  readonly steps: Steps;
  readonly #unfolding: Unfolding | null;
  readonly #rings: RingContext;
  readonly #nodes = new Map<StepId, StepNode>();

  constructor(steps: Steps, rings: RingContext) {
    this.steps = steps;
    this.#rings = rings;
    this.#unfolding = steps instanceof Unfolding ? steps : null;
  }

  /** Number of steps unfolded so far, by all roles. */
  get size(): number {
    return this.#unfolding?.nodes.size ?? 0;
  }

  entry(role: number): StepNode {
    return this.#node(this.steps.entry(role));
  }

  misuse(node: StepNode): Misuse | null {
    return this.steps.misuse(node.step);
  }

  follow(node: StepNode, answer: number): StepNode {
    const known = node.listed[answer];
    return known !== undefined ? known : this.#expand(node, answer);
  }

  #expand(node: StepNode, answer: number): StepNode {
    const before = node.mapped?.get(answer);
    if (before !== undefined) return before;
    invariant(node.instruction !== null, 'no step follows the end of a role');
    const next = this.#node(this.steps.follow(node.step, answer));
    if (answer >= 0 && answer < LISTED_ANSWERS) {
      // Filled from the start: an array without holes stays fast in V8.
      while (node.listed.length <= answer) node.listed.push(undefined);
      node.listed[answer] = next;
      if (answer === 0) node.first = next;
      if (answer === 1) node.second = next;
    } else (node.mapped ??= new Map<number, StepNode>()).set(answer, next);
    return next;
  }

  #node(step: StepId): StepNode {
    const known = this.#nodes.get(step);
    if (known !== undefined) return known;
    const instruction = this.steps.instruction(step);
    const isEnd = this.steps.misuse(step) === null;
    const end = isEnd ? Stand.end : Stand.misuse;
    const stand = instruction === null ? end : standAt(instruction.kind);
    const node = new StepNode(
      step,
      instruction,
      stand,
      this.#rings,
      this.#unfolding?.startsRound(step) ?? false,
      this.#unfolding?.isRetry(step) ?? false,
    );
    this.#nodes.set(step, node);
    return node;
  }
}
