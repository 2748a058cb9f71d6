// Sources of a role's steps: the graph of its steps or, if that grows without bound, its generator.
import { ViolationError } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Op } from '@poundlock/core/internal/op';
import {
  Cursor,
  misuseOf,
  Stand,
  standAt,
  UncheckedOwnership,
} from '@poundlock/core/internal/program';
import type { Misuse, Program, Resolver } from '@poundlock/core/internal/program';
import { floatingPlace } from '@poundlock/core/internal/system';
import { type RingContext, type StepGraph, StepNode } from './step-graph.ts';

/** Returns the steps of one role, one after another. */
export interface StepSource {
  /** Whether the successors of a node never change, so that its list of them can be used. */
  readonly isSettled: boolean;
  /** The step after `node`, whose result was `answer`; the first step for `null`. */
  readonly next: (node: StepNode | null, answer: number) => StepNode;
  /** @throws ViolationError for the misuse at `node`. */
  throwMisuse(node: StepNode): never;
}

/** Drives the generator of a role: its steps have no numbers. */
class CursorSource {
  readonly #cursor: Cursor;
  readonly #resolver: Resolver;
  readonly #role: number;
  readonly #rings: RingContext;
  readonly #end: StepNode;
  readonly #nodes = new Map<Instruction, StepNode>();
  /** Those with which a round starts. */
  readonly #starts = new Map<Instruction, StepNode>();

  constructor(rings: RingContext, role: number, resolver: Resolver) {
    const { program } = rings;
    this.#rings = rings;
    this.#end = new StepNode(-1, null, Stand.end, rings, false, false);
    this.#cursor = new Cursor(program.instance(role, false, new UncheckedOwnership()));
    this.#resolver = resolver;
    this.#role = role;
  }

  next(answer: number): StepNode {
    const op = this.#cursor.nextOp(answer);
    return op === null ? this.#end : this.#node(op);
  }

  #node(op: Op): StepNode {
    const misuse = op.resolved === null ? misuseOf(op) : null;
    if (misuse !== null) throw misused(this.#rings.program, this.#role, misuse);
    const instruction = this.#resolver.resolve(op, this.#role);
    const { startsRound } = this.#cursor;
    const nodes = startsRound ? this.#starts : this.#nodes;
    const known = nodes.get(instruction);
    if (known !== undefined) return known;
    const stand = standAt(instruction.kind);
    const node = new StepNode(-1, instruction, stand, this.#rings, startsRound, false);
    nodes.set(instruction, node);
    return node;
  }
}

/** Steps after which to decide whether a role returns to steps that it made before. */
const PROBED_STEPS = 4096;

/**
 * Follows the graph of a role's steps, which is very cheap once its loops are closed. A role whose
 * graph grows without bound is driven by its generator instead, so that memory does not grow.
 */
export class RoleStepSource implements StepSource {
  readonly #graph: StepGraph;
  readonly #makeCursorSource: (() => CursorSource) | null;
  readonly #program: Program;
  readonly #role: number;
  readonly #sizeBefore: number;
  #cursorSource: CursorSource | null = null;
  /** The results so far, until the source of the steps is decided; then `null`. */
  #answers: number[] | null = null;
  isSettled: boolean;
  /** A function of each source: such ones are never inlined, as what is seldom called need not. */
  readonly next: StepSource['next'];

  /** Without a resolver, the steps are a finite list. */
  constructor(rings: RingContext, role: number, graph: StepGraph, resolver: Resolver | null) {
    this.#graph = graph;
    this.#program = rings.program;
    this.#role = role;
    this.#sizeBefore = graph.size;
    this.#makeCursorSource =
      resolver === null ? null : () => new CursorSource(rings, role, resolver);
    this.next = (node, answer) => this.#next(node, answer);
    this.isSettled = resolver === null;
    if (resolver !== null) this.#answers = [];
  }

  #next(node: StepNode | null, answer: number): StepNode {
    if (this.#answers !== null) this.#probe(answer);
    if (this.#cursorSource !== null) return this.#cursorSource.next(answer);
    return node === null ? this.#graph.entry(this.#role) : this.#graph.follow(node, answer);
  }

  throwMisuse(node: StepNode): never {
    throw misused(this.#program, this.#role, this.#graph.misuse(node)!);
  }

  #probe(answer: number): void {
    const answers = this.#answers!;
    answers.push(answer);
    if (answers.length <= PROBED_STEPS) return;
    this.#answers = null;
    this.isSettled = this.#graph.size - this.#sizeBefore < PROBED_STEPS / 2;
    if (this.isSettled) return;
    this.#cursorSource = this.#makeCursorSource!();
    for (let i = 0; i < answers.length - 1; i++) this.#cursorSource.next(answers[i]!);
  }
}

function misused(program: Program, role: number, { rule, call }: Misuse): ViolationError {
  const { name } = program.roles[role]!;
  if (rule !== 'floating-op') {
    return new ViolationError(`role ${name} misuses a handle (${rule}): run poundlock check`);
  }
  return new ViolationError(
    `role ${name} calls ${call} and never performs it: write yield* before ${call}`,
    floatingPlace(program, role),
  );
}
