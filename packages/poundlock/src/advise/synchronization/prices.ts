// What synchronizing instructions cost by themselves, where nothing has to be waited for.
import { costsOf } from '../../simulate/index.ts';
import type { GpuModel } from '../../simulate/index.ts';
import { SYNCHRONIZING_CYCLES } from '@poundlock/ptx/internal/timing/synchronizing-cycles';
import type { Candidate } from './candidates.ts';

/** Cycles of one execution of an instruction; `null` where no figure was measured. */
export type Prices = (opcode: string) => number | null;

/** Models of the chips whose SM was measured: an instruction costs the same on both. */
const MEASURED_MODELS: ReadonlySet<string> = new Set(['h100', 'h200']);

/** The prices of a GPU model. */
export function pricesOf(model: GpuModel): Prices {
  const { waitCycles, arriveCycles } = costsOf(model);
  const measured = MEASURED_MODELS.has(model.name) ? SYNCHRONIZING_CYCLES : [];
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
