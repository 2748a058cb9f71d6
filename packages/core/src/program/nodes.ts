// The nodes of unfolded roles: a lazily grown graph in flat lists, one entry per step.
import type { Position } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { Misuse } from './ownership.ts';
import { isFailure } from './rows-of-tries.ts';
import type { StepId } from './steps.ts';

/** What a node stands for. */
export const NodeKind = { posted: 0, yielded: 1, misuse: 2, loop: 3, end: 4 } as const;
export type NodeKind = (typeof NodeKind)[keyof typeof NodeKind];

export interface NodeFields {
  readonly kind: NodeKind;
  readonly role: number;
  /** The frame it belongs to: the role's body or one round of a loop. */
  readonly frame: number;
  readonly instruction: Instruction | null;
  readonly misuse: Misuse | null;
  /** For a repeated try: the one before it failed, with nothing between (P07). */
  readonly retry: boolean;
}

const NO_CHILD = -1;
/** Answers below this, such as stages, find their edge in a list; others in a map. */
const LISTED_ANSWERS = 64;

/** Nodes and their edges. An edge is labeled with the answer that leads along it. */
export class Nodes {
  readonly fields: NodeFields[] = [];
  /** The node before it in its frame, −1 at the frame's start, and the answer that led here. */
  readonly parent: number[] = [];
  readonly parentAnswer: number[] = [];
  /** Captured places; only there once a finding was explained. */
  readonly positions = new Map<StepId, Position>();
  /** The other place of a misuse: the acquire or release that went before it. */
  readonly otherPositions = new Map<StepId, Position>();
  /** How many edges there are. */
  links = 0;
  readonly #answer: number[] = [];
  readonly #child: number[] = [];
  readonly #listed: (StepId[] | undefined)[] = [];
  readonly #others = new Map<StepId, Map<number, StepId>>();

  get size(): number {
    return this.fields.length;
  }

  add(fields: NodeFields, parent: number, parentAnswer: number): StepId {
    this.parent.push(parent);
    this.parentAnswer.push(parentAnswer);
    this.#answer.push(0);
    this.#child.push(NO_CHILD);
    this.#listed.push(undefined);
    return this.fields.push(fields) - 1;
  }

  /** The node that `answer` leads to, or −1 while it is not unfolded. */
  child(node: StepId, answer: number): StepId {
    if (this.#child[node] !== NO_CHILD && this.#answer[node] === answer) return this.#child[node]!;
    if (answer >= 0 && answer < LISTED_ANSWERS) return this.#listed[node]?.[answer] ?? NO_CHILD;
    return this.#others.get(node)?.get(answer) ?? NO_CHILD;
  }

  /** The first of the equal tries, each of which follows one that failed, up to a node. */
  rowStart(node: StepId): StepId {
    let first = node;
    while (this.repeats(first)) first = this.parent[first]!;
    return first;
  }

  /** Whether a node is the same try as the node before, which failed. */
  repeats(node: StepId): boolean {
    const { instruction } = this.fields[node]!;
    if (instruction === null) return false;
    return this.failed(instruction, this.parent[node]!, this.parentAnswer[node]!);
  }

  /** Whether a node, −1 for none, is a try with this instruction, and `answer` is its failure. */
  failed(instruction: Instruction, node: StepId, answer: number): boolean {
    return this.fields[node]?.instruction === instruction && isFailure(instruction, answer);
  }

  /** The answers that lead on from a node. */
  answers(node: StepId): number[] {
    if (this.#child[node] === NO_CHILD) return [];
    const answers = [this.#answer[node]!, ...(this.#others.get(node)?.keys() ?? [])];
    const listed = this.#listed[node] ?? [];
    for (let answer = 0; answer < listed.length; answer++) {
      if (listed[answer] !== NO_CHILD) answers.push(answer);
    }
    return answers;
  }

  link(node: StepId, answer: number, child: StepId): void {
    this.links++;
    if (this.#child[node] === NO_CHILD) {
      this.#child[node] = child;
      this.#answer[node] = answer;
      return;
    }
    if (answer >= 0 && answer < LISTED_ANSWERS) {
      // Filled up from the start, so that the list has no holes.
      const listed = (this.#listed[node] ??= []);
      while (listed.length <= answer) listed.push(NO_CHILD);
      listed[answer] = child;
      return;
    }
    const others = this.#others.get(node) ?? new Map<number, StepId>();
    others.set(answer, child);
    this.#others.set(node, others);
  }
}
