// The steps of a program as linked nodes: what a run follows millions of times is a pointer away.
import { invariant } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { OpKind } from '../op/index.ts';
import { Unfolding, type Misuse, type StepId, type Steps } from '../program/index.ts';
import { isSilent } from '../system/index.ts';

/** Answers below this, such as stages, find the next node in a list; others in a map. */
const LISTED_ANSWERS = 64;

/** One step. `instruction` is `null` at the end of a role. */
export class StepNode {
  readonly step: StepId;
  readonly instruction: Instruction | null;
  readonly kind: OpKind;
  readonly isSilent: boolean;
  /** 1 where a round of a loop begins. */
  readonly round: number;
  readonly listed: (StepNode | undefined)[] = [];
  mapped: Map<number, StepNode> | null = null;

  constructor(step: StepId, instruction: Instruction | null, round: number) {
    this.step = step;
    this.instruction = instruction;
    this.kind = instruction?.kind ?? (0 as OpKind);
    this.isSilent = instruction !== null && isSilent(instruction.kind);
    this.round = round;
  }
}

/** Nodes of the steps that were come to so far. */
export class StepGraph {
  readonly steps: Steps;
  readonly #unfolding: Unfolding | null;
  readonly #nodes = new Map<StepId, StepNode>();

  constructor(steps: Steps) {
    this.steps = steps;
    this.#unfolding = steps instanceof Unfolding ? steps : null;
  }

  /** Steps that were made so far, by all roles. */
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
    invariant(node.instruction !== null, 'nothing comes after the end of a role');
    const next = this.#node(this.steps.follow(node.step, answer));
    if (answer >= 0 && answer < LISTED_ANSWERS) {
      // Filled up from the start, so that the list has no holes.
      while (node.listed.length <= answer) node.listed.push(undefined);
      node.listed[answer] = next;
    } else (node.mapped ??= new Map<number, StepNode>()).set(answer, next);
    return next;
  }

  #node(step: StepId): StepNode {
    const known = this.#nodes.get(step);
    if (known !== undefined) return known;
    const starts = this.#unfolding?.startsRound(step) === true;
    const made = new StepNode(step, this.steps.instruction(step), starts ? 1 : 0);
    this.#nodes.set(step, made);
    return made;
  }
}
