// Unfolds roles to finite graphs: reachable steps, and the results that lead to the next ones.
import { InputError, type BoundName } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import {
  NondeterminismError,
  type Misuse,
  type StepId,
  type Steps,
} from '@poundlock/core/internal/program';
import { formatNumber, type System } from '@poundlock/core/internal/system';
import { ValueDomains } from './value-domains.ts';
import { Memory } from './memory.ts';

/** The default of {@link ExportOptions.maxSteps}. */
export const DEFAULT_MAX_STEPS = 20_000;
/** The default of {@link ExportOptions.maxAnswers}. */
export const DEFAULT_MAX_ANSWERS = 16;
/** The most pairs of a step and the private values of its role (its stages and counts). */
const MAX_ROLE_STATES = 1_000_000;

export interface GraphBounds {
  readonly maxSteps: number;
  readonly maxAnswers: number;
}

export interface GraphStep {
  readonly id: StepId;
  readonly role: number;
  /** `null` for the end of the role and for a misuse. */
  readonly instruction: Instruction | null;
  readonly misuse: Misuse | null;
  readonly isRetry: boolean;
  /** The next step by result. */
  readonly edges: Map<number, StepId>;
}

export interface RoleGraph {
  readonly role: number;
  readonly entry: StepId;
  /** In the order of discovery. */
  readonly steps: Map<StepId, GraphStep>;
}

export interface Graph {
  readonly roles: readonly RoleGraph[];
  /** The values that cells can hold and that pools can return. */
  readonly domains: ValueDomains;
}

/** Unfolds every role until there are no new values; throws an InputError at a bound. */
export function unfoldRoles(system: System, bounds: GraphBounds): Graph {
  const domains = new ValueDomains(system, bounds.maxAnswers);
  try {
    for (;;) {
      let left = bounds.maxSteps;
      const roles = system.program.roles.map((_, role) => {
        const graph = new Exploration(system, role, domains, left, bounds.maxSteps).run();
        left -= graph.steps.size;
        return graph;
      });
      if (!domains.learn(roles)) return { roles, domains };
    }
  } catch (error) {
    if (!(error instanceof NondeterminismError)) throw error;
    const { name } = system.program.roles[error.role]!;
    throw new InputError(
      `the body of role ${name} is not deterministic: \`poundlock check\` shows where`,
      error.foundAt,
    );
  }
}

/** Explores one role with all results that its own stages and counts allow. */
class Exploration {
  readonly #system: System;
  readonly #steps: Steps;
  readonly #role: number;
  readonly #domains: ValueDomains;
  readonly #left: number;
  readonly #maxSteps: number;
  readonly #graph = new Map<StepId, GraphStep>();
  readonly #seen = new Set<string>();
  readonly #open: { readonly step: GraphStep; readonly memory: Memory }[] = [];

  constructor(system: System, role: number, domains: ValueDomains, left: number, maxSteps: number) {
    this.#system = system;
    this.#steps = system.steps;
    this.#role = role;
    this.#domains = domains;
    this.#left = left;
    this.#maxSteps = maxSteps;
  }

  run(): RoleGraph {
    const entry = this.#steps.entry(this.#role);
    this.#visit(entry, new Memory());
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const { step, memory } = next;
      if (step.instruction === null) continue;
      for (const [answer, after] of this.#domains.of(step, memory)) {
        const to = this.#steps.follow(step.id, answer);
        step.edges.set(answer, to);
        this.#visit(to, after);
      }
    }
    return { role: this.#role, entry, steps: this.#graph };
  }

  #visit(id: StepId, memory: Memory): void {
    const key = `${id} ${memory.key}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#seen.size > MAX_ROLE_STATES) this.#fail('standings', MAX_ROLE_STATES);
    let step = this.#graph.get(id);
    if (step === undefined) {
      const instruction = this.#steps.instruction(id);
      const misuse = this.#steps.misuse(id);
      if (misuse?.rule === 'floating-op') this.#refuseFloating(id, misuse.call);
      const isRetry = this.#steps.isRetry(id);
      step = { id, role: this.#role, instruction, misuse, isRetry, edges: new Map() };
      this.#graph.set(id, step);
      if (this.#graph.size > this.#left) this.#fail('max-steps', this.#maxSteps);
    }
    this.#open.push({ step, memory });
  }

  /** P13: a model would contain everything but the operation that was meant. */
  #refuseFloating(id: StepId, call: string): never {
    const { name } = this.#system.program.roles[this.#role]!;
    throw new InputError(
      `role ${name} calls ${call} and never performs it: write yield* before ${call}`,
      this.#steps.position(id),
    );
  }

  #fail(bound: BoundName, limit: number): never {
    const { kernel, roles } = this.#system.program;
    const { name } = roles[this.#role]!;
    throw new InputError(
      `kernel ${kernel.name} is too large to export: at role ${name} the bound ${bound} of ` +
        `${formatNumber(limit)} was reached; set fewer tiles or stages, or write loops as loop()`,
    );
  }
}
