// Exports a kernel to Promela, TLA+ or Graphviz.
import '../own-folder.ts';
import { InputError, option, optionTable, requireOptions } from '@poundlock/core/internal/base';
import { requireWord, uselessOption, type OptionsOf } from '@poundlock/core/internal/base';
import { findDivergence, Program, raiiSteps, Unfolding } from '@poundlock/core/internal/program';
import type {
  Divergence,
  Kernel,
  KernelParameters,
  RecordedStep,
} from '@poundlock/core/internal/program';
import { System } from '@poundlock/core/internal/system';
import { dot } from './dot/index.ts';
import { DEFAULT_MAX_ANSWERS, DEFAULT_MAX_STEPS, unfoldRoles } from './graph.ts';
import type { Graph, RoleGraph } from './graph.ts';
import { lower } from './lower.ts';
import { promela } from './promela/index.ts';
import { tla } from './tla/index.ts';

export { DEFAULT_MAX_ANSWERS, DEFAULT_MAX_STEPS } from './graph.ts';

/** The formats to which a kernel can be exported. */
export const FORMATS = ['promela', 'tla', 'dot'] as const;
/** One of {@link FORMATS}: Promela for SPIN, a TLA+ module, or a drawing for Graphviz. */
export type Format = (typeof FORMATS)[number];

const EXPORT = optionTable({
  /** Kernel parameters that differ from their defaults. */
  params: option.checkedLater<KernelParameters>(),
  /** The most steps of all roles together. */
  maxSteps: option.amount,
  /** The most values of a cell that a loop adds to. */
  maxAnswers: option.amount,
  /** The name of the TLA+ module; the kernel's name unless specified. */
  module: option.text,
});

/** Options of {@link exportKernel}. */
export interface ExportOptions extends OptionsOf<typeof EXPORT> {}

/**
 * Writes a kernel with its parameters in another language, for another tool to check or draw.
 *
 * @throws InputError if the kernel cannot be executed, is not deterministic, or exceeds a bound.
 *
 * @example
 * import { arrive, barrier, kernel, role, wait } from 'poundlock';
 * import { exportKernel } from 'poundlock/export';
 *
 * const once = kernel('once', {}, () => {
 *   const full = barrier('full');
 *   return [
 *     role('load', function* () {
 *       arrive(full);
 *     }),
 *     role('mma', function* () {
 *       yield* wait(full, 0);
 *     }),
 *   ];
 * });
 * console.log(exportKernel(once, 'dot').startsWith('digraph')); // true
 */
export function exportKernel(kernel: Kernel, format: Format, options: ExportOptions = {}): string {
  requireWord('the format of exportKernel()', format, FORMATS);
  requireOptions('exportKernel()', EXPORT, options);
  if (options.module !== undefined && format !== 'tla') {
    throw uselessOption(
      'exportKernel()',
      'module',
      `with format '${format}': only TLA+ has modules`,
    );
  }
  for (let left = MAX_SPLITS; ; left--) {
    try {
      return exportApart(kernel, format, options);
    } catch (error) {
      // W01: strands of a role were treated as equal, and the next attempt knows that they are not.
      const isToRepeat = error instanceof Error && error.name === 'StrandsDiffer';
      if (!isToRepeat || left === 0) throw error;
    }
  }
}

/** The most attempts to find out which strands do the same. */
const MAX_SPLITS = 1000;

function exportApart(kernel: Kernel, format: Format, options: ExportOptions): string {
  const { params, maxSteps = DEFAULT_MAX_STEPS, maxAnswers = DEFAULT_MAX_ANSWERS } = options;
  const system = systemOf(new Program(kernel, params));
  const graph = unfoldRoles(system, { maxSteps, maxAnswers });
  requireDeterminism(system, graph);
  return WRITERS[format](system, graph, moduleName(options.module ?? kernel.name));
}

type Writer = (system: System, graph: Graph, module: string) => string;

const WRITERS = {
  promela: (system, graph) => promela(lower(system, graph)),
  tla: (system, graph, module) => tla(lower(system, graph), module),
  dot: (system, graph) => dot(system, graph),
} satisfies Record<Format, Writer>;

/** A name as TLA+ has them: letters, digits and underscores. */
function moduleName(name: string): string {
  const word = name.replaceAll(/[^A-Za-z0-9]+/g, '_');
  return /^[A-Za-z]/.test(word) ? word : `kernel_${word}`;
}

function systemOf(program: Program): System {
  return new System(program, (_, machine) => {
    if (program.kernel.ownership === 'explicit') return new Unfolding(program, machine);
    const { steps, divergence } = raiiSteps(program, machine);
    if (divergence !== null) throw divergent(program, divergence);
    return steps;
  });
}

/** P09: a nondeterministic role has no graph of steps. */
function requireDeterminism(system: System, graph: Graph): void {
  const { program, steps } = system;
  if (!(steps instanceof Unfolding)) return;
  for (const role of graph.roles) {
    const found = findDivergence(program, steps, role.role, somePath(role));
    if (found !== null) throw divergent(program, found);
  }
}

/** One path through a role, until it repeats a step. */
function somePath({ entry, steps }: RoleGraph): RecordedStep[] {
  const path: RecordedStep[] = [];
  const seen = new Set<number>();
  for (let at = entry; !seen.has(at);) {
    seen.add(at);
    const { instruction, misuse, edges } = steps.get(at)!;
    const [edge] = edges;
    if (edge === undefined) break;
    path.push({ instruction, misuse, answer: edge[0], source: at });
    at = edge[1];
  }
  return path;
}

function divergent({ roles }: Program, { role, foundAt }: Divergence): InputError {
  const { name } = roles[role]!;
  const what = `the body of role ${name} is not deterministic`;
  return new InputError(`${what}: \`poundlock check\` shows where`, foundAt);
}
