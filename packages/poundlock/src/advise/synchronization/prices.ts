// What synchronizing instructions cost by themselves, where nothing has to be waited for.
import { costsOf } from '../../simulate/index.ts';
import type { GpuModel } from '../../simulate/index.ts';
import type { Candidate } from './candidates.ts';

/** Cycles of one execution of an instruction; `null` where no figure was measured. */
export type Prices = (opcode: string) => number | null;

/** Models of the chips whose SM was measured: an instruction costs the same on both. */
const MEASURED_MODELS: ReadonlySet<string> = new Set(['h100', 'h200']);

/**
 * Cycles by opcode, the first row that fits: what `bench/ptx/redundancy/costs.cu` measured on an
 * H100 for 128 threads that all execute it at once. The second half of a barrier of a cluster has
 * the cycles of both.
 */
const MEASURED: readonly (readonly [opcode: RegExp, cycles: number])[] = [
  [/^bar\.warp\.sync/, 1],
  [/^(bar|barrier)(\.cta)?\.(sync|arrive)/, 20],
  [/^barrier\.cluster\.arrive/, 0],
  [/^barrier\.cluster\.wait/, 730],
  [/^cp\.async\.bulk\.wait_group\.read/, 4],
  [/^cp\.async\.bulk\.wait_group/, 14],
  [/^cp\.async\.wait_(group|all)/, 4],
  [/^wgmma\.fence/, 9],
  [/^wgmma\.wait_group/, 2],
  [/^fence\.mbarrier_init/, 1],
  [/^fence\.proxy\.async[.:]+shared/, 19],
  [/^fence\.proxy\.async/, 523],
  [/^(fence(\.\w+)?\.cta|membar\.cta)/, 9],
  [/^(fence(\.\w+)?\.(cluster|gpu)|membar\.gl)/, 648],
  [/^(fence(\.\w+)?\.sys|membar\.sys)/, 1384],
];

/** The prices of a GPU model. */
export function pricesOf(model: GpuModel): Prices {
  const { waitCycles, arriveCycles } = costsOf(model);
  const measured = MEASURED_MODELS.has(model.name) ? MEASURED : [];
  return (opcode) => {
    if (/^mbarrier\.(try|test)_wait/.test(opcode)) return Math.round(waitCycles);
    if (opcode.startsWith('mbarrier.arrive')) return Math.round(arriveCycles);
    return measured.find(([pattern]) => pattern.test(opcode))?.[1] ?? null;
  };
}

/** What all executions of the instruction that a candidate shows cost. */
export function costOf(
  prices: Prices,
  { sites, executions }: Pick<Candidate, 'sites' | 'executions'>,
): number | null {
  const each = prices(sites[0]!.opcode);
  return each === null ? null : each * executions;
}
