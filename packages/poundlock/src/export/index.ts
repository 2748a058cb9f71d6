// export: a kernel as a program of another checker, or as a drawing.
import { InputError } from '../base/index.ts';
import type { ParameterValue } from '../finding/index.ts';
import { Program, raiiSteps, Unfolding, type Kernel } from '../program/index.ts';
import { System } from '../system/index.ts';
import { DEFAULT_MAX_ANSWERS, DEFAULT_MAX_STEPS, unfoldRoles } from './graph.ts';
import { lower } from './lower.ts';
import { promela } from './promela/index.ts';

export { DEFAULT_MAX_ANSWERS, DEFAULT_MAX_STEPS } from './graph.ts';

/** The languages that a kernel can be exported to. */
export const FORMATS = ['promela', 'tla', 'dot'] as const;
export type Format = (typeof FORMATS)[number];

export interface ExportOptions {
  readonly params?: Readonly<Record<string, ParameterValue>>;
  /** The most steps of all roles together. */
  readonly maxSteps?: number;
  /** The most values of a cell that a loop adds to. */
  readonly maxAnswers?: number;
}

/**
 * A kernel with its parameters in another language, in which another tool can check it.
 *
 * @throws InputError when the program can not be run, or is larger than a bound.
 */
export function exportKernel(kernel: Kernel, format: Format, options: ExportOptions = {}): string {
  const { params, maxSteps = DEFAULT_MAX_STEPS, maxAnswers = DEFAULT_MAX_ANSWERS } = options;
  const system = systemOf(new Program(kernel, params));
  const graph = unfoldRoles(system, { maxSteps, maxAnswers });
  const model = lower(system, graph);
  void format;
  return promela(model);
}

function systemOf(program: Program): System {
  return new System(program, (_, machine) => {
    if (program.kernel.ownership === 'explicit') return new Unfolding(program, machine);
    const { steps, divergence } = raiiSteps(program, machine);
    if (divergence === null) return steps;
    const { name } = program.roles[divergence.role]!;
    throw new InputError(`role ${name} is not deterministic: \`poundlock check\` shows where`);
  });
}
