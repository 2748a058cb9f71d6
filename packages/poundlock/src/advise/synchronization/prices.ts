// What synchronizing instructions cost by themselves, where nothing has to be waited for.
import { costsOf } from '../../simulate/index.ts';
import type { GpuModel } from '../../simulate/index.ts';
import { isPhaseWait } from '@poundlock/ptx/internal/isa/questions';
import type { Effect } from '@poundlock/ptx/internal/isa/effect';
import { synchronizingCyclesOf } from '@poundlock/ptx/internal/timing/synchronizing-cycles';
import type { Candidate } from './candidates.ts';

/** Cycles of one execution of an instruction; `null` where no figure was measured. */
export type Prices = (effect: Effect) => number | null;

/** Models of the chips whose SM was measured: an instruction costs the same on both. */
const MEASURED_MODELS: ReadonlySet<string> = new Set(['h100', 'h200']);

/** The prices of a GPU model. */
export function pricesOf(model: GpuModel): Prices {
  const { waitCycles, arriveCycles } = costsOf(model);
  const isMeasured = MEASURED_MODELS.has(model.name);
  return (effect) => {
    if (isPhaseWait({ effect })) return Math.round(waitCycles);
    if (effect.kind === 'mbarrier' && (effect.op === 'arrive' || effect.op === 'arrive drop'))
      return Math.round(arriveCycles);
    return isMeasured ? synchronizingCyclesOf(effect) : null;
  };
}

/** What all executions of the instruction that a candidate shows cost. */
export function costOf(
  prices: Prices,
  { sites, executions }: Pick<Candidate, 'sites' | 'executions'>,
): number | null {
  const each = prices(sites[0]!.effect);
  return each === null ? null : each * executions;
}
