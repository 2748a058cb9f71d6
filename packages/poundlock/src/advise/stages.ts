// Finds the smallest number of stages that is nearly optimal and fits.
import { InputError } from '@poundlock/core/internal/base';
import { Program, type Kernel, type ResolvedParameters } from '@poundlock/core/internal/program';
import { occupancyOf, predictWith, StageBytes, type Costs } from '../simulate/index.ts';

/** Stages beyond this are not tried. */
const MAX_STAGES = 12;
/** A choice within this factor of the best counts as equally good. */
const TOLERANCE = 0.01;

/** The cycles and the memory of a number of stages. */
export interface StageChoice {
  readonly parameter: string;
  readonly value: number;
  readonly bytes: number;
  readonly totalCycles: number;
  /** The best time of any choice that fits. */
  readonly bestCycles: number;
}

/** The stages of every ring. */
function stagesOf(program: Program): number[] {
  return program.declarations.rings.map((ring) => ring.stages);
}

/** The parameters that are numbers of stages: one more adds one stage and changes nothing else. */
export function stageParameters(kernel: Kernel, params: ResolvedParameters): string[] {
  const base = stagesOf(Program.together(kernel, params));
  return Object.entries(params.values).flatMap(([name, value]) => {
    if (typeof value !== 'number') return [];
    try {
      const more = stagesOf(Program.together(kernel, params.change({ [name]: value + 1 })));
      if (more.length !== base.length) return [];
      const grown = more.map((stages, ring) => stages - base[ring]!);
      return grown.some((by) => by === 1) && grown.every((by) => by === 0 || by === 1)
        ? [name]
        : [];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  });
}

/** Bytes of each ring's stage in a CTA: as declared, or as producers expect them in a run. */
export function stageBytes(program: Program, costs: Costs): number[] {
  const seen = new StageBytes(program);
  predictWith(program, costs, { observer: seen });
  return seen.ofStages();
}

/** Whether a CTA can have stages of so many bytes, and all that it declares. */
function fits(program: Program, bytes: number, costs: Costs): boolean {
  return Math.max(bytes, occupancyOf(program, costs).sharedBytes) <= costs.ctaSharedBytes;
}

/** The smallest fitting number of stages within one percent of the best fitting one. */
export function smallestStages(
  kernel: Kernel,
  params: ResolvedParameters,
  parameter: string,
  options: { readonly costs: Costs; readonly bytes: readonly number[]; readonly smem: number },
): StageChoice | null {
  const tried: { value: number; bytes: number; totalCycles: number }[] = [];
  for (let value = 1; value <= MAX_STAGES; value++) {
    try {
      const program = Program.together(kernel, params.change({ [parameter]: value }));
      const bytes = stagesOf(program).reduce((sum, stages, ring) => {
        return sum + stages * options.bytes[ring]!;
      }, 0);
      if (bytes > options.smem || !fits(program, bytes, options.costs)) break;
      tried.push({ value, bytes, totalCycles: predictWith(program, options.costs) });
    } catch (error) {
      // Kernels may reject so many stages, or deadlock with so few: then they are not candidates.
      if (!(error instanceof InputError)) throw error;
    }
  }
  if (tried.length === 0) return null;
  const bestCycles = tried.reduce((best, one) => Math.min(best, one.totalCycles), Infinity);
  const chosen = tried.find((one) => one.totalCycles <= bestCycles * (1 + TOLERANCE))!;
  return { parameter, ...chosen, bestCycles };
}
