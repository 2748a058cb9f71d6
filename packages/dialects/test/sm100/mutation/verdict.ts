// What `check` says of a mutant, at two sizes: what one size orders by chance, the other does not.
import { check } from 'poundlock/check';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import type { Kernel } from 'poundlock';
import { mutate } from './mutate.ts';
import { sitesOf, type Site } from './sites.ts';

type Params = Record<string, ParameterValue>;

/** The rule of the first finding, `survives`, or `undecided` where a bound was hit. */
export type Verdict = string;

/** Whether `check` has a finding. */
export function isFound(verdict: Verdict): boolean {
  return verdict !== 'survives' && verdict !== 'undecided';
}

/** Few input stages and many k steps: every ring goes round. Or the other way: warps run ahead. */
const SIZES: readonly Params[] = [
  { stages: 2, kIters: 3, tiles: 6 },
  { stages: 6, kIters: 1, tiles: 6 },
];
/** States of a search where a schedule that goes wrong is known already, and where none is. */
const FEW_STATES = 500;
const MANY_STATES = 100_000;

/** The mutants of a kernel, by name, at both sizes. */
export function mutantsOf(kernel: Kernel, params: Params): Map<string, Site[]> {
  const mutants = new Map<string, Site[]>();
  for (const size of SIZES) {
    for (const site of sitesOf(kernel, { ...size, ...params })) {
      mutants.set(site.name, [...(mutants.get(site.name) ?? []), site]);
    }
  }
  return mutants;
}

/** What is found of a mutant at any of the sizes. */
export async function verdictOf(
  kernel: Kernel,
  params: Params,
  sites: readonly Site[],
): Promise<Verdict> {
  let worst = 'survives';
  for (const [at, site] of sites.entries()) {
    const verdict = await verdictAt(mutate(kernel, site), { ...SIZES[at]!, ...params });
    if (verdict !== 'survives' && verdict !== 'undecided') return verdict;
    if (verdict === 'undecided') worst = verdict;
  }
  return worst;
}

async function verdictAt(mutant: Kernel, params: Params): Promise<Verdict> {
  for (const maxStates of [FEW_STATES, MANY_STATES]) {
    const { verdict, findings } = await check(mutant, { params, maxStates, sizes: 'requested' });
    if (findings.length > 0) return findings[0]!.rule;
    if (verdict === 'certified') return 'survives';
  }
  return 'undecided';
}
