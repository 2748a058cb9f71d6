// Kernels and parameters for which another tool must say what `check` says.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exportKernel } from '#src/export/index';
import { InputError, type Kernel } from 'poundlock';
import { grid, verdicts, type SpinVerdict } from '../conformance/spin-table.ts';
import type { Params } from '../conformance/verdict-of.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'examples');

export interface Instance {
  /** The path below `examples`, without `.ts`. */
  readonly name: string;
  readonly params: Params;
}

/** The correct kernels, in sizes that SPIN searches in no time. */
const CORRECT: readonly Instance[] = [
  { name: 'gemm', params: { tiles: 3 } },
  { name: 'gemm-linear', params: { tiles: 4, stages: 2 } },
  { name: 'hand-over-hand', params: { tiles: 4, stages: 2 } },
  { name: 'multicast', params: { tiles: 2 } },
  { name: 'three-roles', params: { tiles: 2 } },
  { name: 'work-queue', params: {} },
  { name: 'work-queue', params: { stages: 1, workers: 3 } },
  { name: 'cute/cutlass-ping-pong', params: { tiles: 2, kTiles: 1, stages: 2 } },
  { name: 'cute/dsl-gemm', params: { tiles: 2, kTiles: 1, stages: 1, accStages: 1 } },
  { name: 'cute/dsl-gemm-2cta', params: { tiles: 1, kTiles: 1, stages: 1, accStages: 1 } },
  { name: 'cute/same-ring', params: { words: 'cutlass', tiles: 4, stages: 2 } },
];

/** The suspects of the structured kernels as they are, and fixed. */
const SUSPECTS: readonly Instance[] = [
  { name: 'grouped-drain', params: {} },
  { name: 'grouped-drain', params: { tiles: 4 } },
  { name: 'grouped-drain', params: { drain: 'producer-state' } },
  { name: 'load-order', params: {} },
  { name: 'load-order', params: { loadOrder: 'two-way' } },
  { name: 'epilogue-release', params: {} },
  { name: 'epilogue-release', params: { arrives: true } },
  { name: 'sfb-war', params: {} },
  { name: 'sfb-war', params: { frees: 'commit' } },
  { name: 'dropped-advance', params: {} },
  { name: 'early-return', params: {} },
];
const WHOLE = { stages: 1, accumStages: 1, kIters: 1, tiles: 1 };

/** Bugs of the program text, which is no longer there in a graph of steps. */
const OF_THE_SOURCE = new Set(['loop-captures', 'missing-yield', 'nondeterministic-role']);

/** Every example. */
export function examples(): Instance[] {
  const broken = [...namesIn('broken'), ...namesIn('cute/broken')];
  return [...CORRECT, ...broken.map((name) => ({ name, params: {} }))];
}

function namesIn(folder: string): string[] {
  const files = readdirSync(join(EXAMPLES, folder)).filter((file) => file.endsWith('.ts'));
  const names = files.map((file) => file.slice(0, -3)).toSorted();
  return names.filter((name) => !OF_THE_SOURCE.has(name)).map((name) => `${folder}/${name}`);
}

const ofTable = ({ model, params }: SpinVerdict): Instance => ({ name: `models/${model}`, params });

/** Kernels and suspects of `examples/sm100`. */
export function structured(): Instance[] {
  const suspects = SUSPECTS.map(({ name, params }) => ({ name: `sm100/suspects/${name}`, params }));
  return [...suspects, { name: 'sm100/grouped-1sm', params: WHOLE }];
}

/** Of the programs in the first table every third; with `all` each of them, and those of the grid. */
export function models(all: boolean): Instance[] {
  const table = all ? [...verdicts(), ...grid()] : verdicts().filter((_, at) => at % 3 === 0);
  return table.map(ofTable);
}

export async function kernelOf({ name }: Instance): Promise<Kernel> {
  return ((await import(join(EXAMPLES, `${name}.ts`))) as { default: Kernel }).default;
}

/** Operations that exported models do not have: the example is refused with this line. */
const REFUSED = /^export to Promela and TLA\+ does not know .* yet$/;

/** A kernel as a model, or why the format has no word for one of its operations. */
export function exportedOr(
  kernel: Kernel,
  format: 'promela' | 'tla',
  params: Params,
): { readonly text: string } | { readonly refused: string } {
  try {
    return { text: exportKernel(kernel, format, { params }) };
  } catch (error) {
    if (!(error instanceof InputError) || !REFUSED.test(error.message)) throw error;
    return { refused: error.message };
  }
}
