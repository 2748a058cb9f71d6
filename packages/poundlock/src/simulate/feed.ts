// Where a role's steps come from: the graph of its steps or, where that has no end, its generator.
import { InputError } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { Op } from '../op/index.ts';
import { Cursor, misuseOf, UncheckedOwnership } from '../program/index.ts';
import type { Misuse, Program, Resolver } from '../program/index.ts';
import { type StepGraph, StepNode } from './step-graph.ts';

/** One role's steps, one after the other. */
export interface Feed {
  /** The next step, when the one before was answered with `answer`. */
  next(answer: number): StepNode;
}

const END = new StepNode(-1, null, 0);

/** A role that is driven in place: its steps are not known by number. */
class CursorFeed implements Feed {
  readonly #cursor: Cursor;
  readonly #resolver: Resolver;
  readonly #role: number;
  readonly #nodes = new Map<Instruction, [StepNode, StepNode]>();
  #posted = 0;
  #yielded: Op | null = null;
  #hasStarted = false;
  #rounds = 0;

  constructor(program: Program, role: number, resolver: Resolver) {
    this.#cursor = new Cursor(program.instance(role, false, new UncheckedOwnership()));
    this.#resolver = resolver;
    this.#role = role;
  }

  next(answer: number): StepNode {
    const { context } = this.#cursor;
    for (;;) {
      if (this.#posted < context.postedCount) return this.#node(context.posted[this.#posted++]!);
      if (this.#yielded !== null) {
        const op = this.#yielded;
        this.#yielded = null;
        return this.#node(op);
      }
      if (this.#hasStarted && this.#cursor.standing === null) return END;
      this.#yielded = this.#cursor.next(this.#hasStarted ? answer : undefined);
      this.#hasStarted = true;
      this.#posted = 0;
    }
  }

  #node(op: Op): StepNode {
    const misuse = op.resolved === null ? misuseOf(op) : null;
    if (misuse !== null) throw misused(misuse);
    const instruction = this.#resolver.resolve(op, this.#role);
    let nodes = this.#nodes.get(instruction);
    if (nodes === undefined) {
      nodes = [new StepNode(-1, instruction, 0), new StepNode(-1, instruction, 1)];
      this.#nodes.set(instruction, nodes);
    }
    const isRound = this.#cursor.rounds !== this.#rounds;
    this.#rounds = this.#cursor.rounds;
    return nodes[isRound ? 1 : 0];
  }
}

/** After so many steps it shows whether a role comes back to steps that it made before. */
const PROBED_STEPS = 4096;

/**
 * Follows the graph of a role's steps, which costs next to nothing once its loops have closed. A
 * role that makes new steps for ever is driven in place instead, so that memory does not grow.
 */
export class RoleFeed implements Feed {
  readonly #graph: StepGraph;
  readonly #drive: (() => CursorFeed) | null;
  readonly #role: number;
  readonly #sizeBefore: number;
  #node: StepNode | null = null;
  #driven: CursorFeed | null = null;
  /** The answers so far, while it is open how the role goes on; `null` afterwards. */
  #answers: number[] | null = null;

  /** Without a resolver the steps are a list, and have an end. */
  constructor(program: Program, role: number, graph: StepGraph, resolver: Resolver | null) {
    this.#graph = graph;
    this.#role = role;
    this.#sizeBefore = graph.size;
    this.#drive = resolver === null ? null : () => new CursorFeed(program, role, resolver);
    if (resolver !== null) this.#answers = [];
  }

  next(answer: number): StepNode {
    if (this.#answers !== null) this.#probe(answer);
    if (this.#driven !== null) return this.#driven.next(answer);
    const before = this.#node;
    const node =
      before === null ? this.#graph.entry(this.#role) : this.#graph.follow(before, answer);
    this.#node = node;
    if (node.instruction === null) this.#requireEnd(node);
    return node;
  }

  #probe(answer: number): void {
    const answers = this.#answers!;
    answers.push(answer);
    if (answers.length <= PROBED_STEPS) return;
    this.#answers = null;
    if (this.#graph.size - this.#sizeBefore < PROBED_STEPS / 2) return;
    this.#driven = this.#drive!();
    for (let i = 0; i < answers.length - 1; i++) this.#driven.next(answers[i]!);
  }

  #requireEnd(node: StepNode): void {
    const misuse = this.#graph.misuse(node);
    if (misuse !== null) throw misused(misuse);
  }
}

function misused(misuse: Misuse): InputError {
  return new InputError(`a role misuses a handle (${misuse.rule}): run check on it`);
}
