// Finds the smallest number of stages that is nearly optimal and fits.
import { InputError } from '@poundlock/core/internal/base';
import { OpKind } from '@poundlock/core/internal/op';
import {
  Program,
  Unfolding,
  type Kernel,
  type ResolvedParameters,
  type LinearStep,
} from '@poundlock/core/internal/program';
import { layOutSystem, reachableSteps } from '@poundlock/core/internal/system';
import { predictWith, type Costs } from '../simulate/index.ts';

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

/** As {@link stageBytes}, for roles with choices: of all steps that they may reach. */
export function reachableStageBytes(program: Program): number[] {
  const steps = new Unfolding(program, layOutSystem(program).machine);
  const { rings } = program.declarations;
  const most = rings.map(({ group, stageBytes: own }, ring) => (group === ring ? own : 0));
  for (const role of program.roles.keys()) {
    for (const step of reachableSteps(steps, program, role)) {
      const instruction = steps.instruction(step);
      if (instruction?.kind !== OpKind.arrive) continue;
      const barriers = instruction.barriers.map((id) => Math.floor(id / program.ctas));
      for (const [ring, { full, group }] of rings.entries()) {
        if (group !== ring || !barriers.some((id) => full.includes(id))) continue;
        most[ring] = Math.max(most[ring]!, instruction.bytes);
      }
    }
  }
  return most;
}

/** Bytes of each ring's stage: as it is declared, or as its producers expect them. */
export function stageBytes(program: Program, lists: readonly (readonly LinearStep[])[]): number[] {
  const { rings } = program.declarations;
  return rings.map(({ full, group, stageBytes: declared }, ring) => {
    // A copy shares the memory of its original.
    if (group !== ring) return 0;
    const ofRing = new Set(full);
    const expected = lists.flatMap((list) =>
      list.flatMap(({ op }) => {
        return op.kind === OpKind.arrive && ofRing.has(op.args.barrier) ? [op.args.bytes] : [];
      }),
    );
    return expected.reduce((most, bytes) => Math.max(most, bytes), declared);
  });
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
      if (bytes > options.smem) break;
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
