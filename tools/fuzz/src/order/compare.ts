// Holds `check` against the dull search: verdict, shortest length, rule, warnings and replay.
import type { Checker } from '../checker.ts';
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import type { Kernel } from '@poundlock/core/internal/program';
import { toKernel, type DullProgram } from './dull-program.ts';
import { dullSearch, type DullResult } from './dull-search.ts';
import { isOf, symptomOf } from './symptom-of.ts';

export const MAX_DULL_STATES = 1_500;

/**
 * Far more than the search of nearly every program takes that the dull search can do. Where tries
 * are repeated, histories that the dull search takes for one are many, and with twins far too many.
 */
const BOUNDS = { maxStates: 50 * MAX_DULL_STATES, timeoutMs: 5_000 };

/** The dull search knows order alone. */
const memory = 'none';

/** Far more than the one run of a certificate makes, where it ends. */
const MAX_EVENTS = 10_000;

export interface Comparison {
  readonly dull: DullResult;
  /** What the two disagree about; empty when they agree. */
  readonly faults: readonly string[];
  /** Whether one run proves the program right. */
  readonly isProved: boolean;
  /** What each engine says, by its name. */
  readonly verdicts: Readonly<Record<string, string>>;
}

/** Checks one program twice. A program that is too large for the dull search is not checked. */
export async function compare(check: Checker, program: DullProgram): Promise<Comparison> {
  const dull = dullSearch(program, MAX_DULL_STATES);
  if (dull.verdict === 'skipped') return { dull, faults: [], isProved: false, verdicts: {} };
  const target = toKernel(program);
  const result = await check(target, { memory, engine: 'search', ...BOUNDS });
  const isBounded = result.verdict === 'inconclusive';
  const faults = isBounded ? [] : faultsOf(dull, result);
  const reduced = await check(target, { memory, engine: 'reduced', ...BOUNDS, timeoutMs: 500 });
  // Depth first, a program without end may keep it busy.
  const areBothWrong = reduced.verdict === 'counterexample' && dull.verdict === 'counterexample';
  if (isBounded && areBothWrong) {
    // It is not necessarily a shortest one.
    if (lengthOf(reduced) < dull.shortest) faults.push('reduced: a schedule that is too short');
  } else if (reduced.verdict !== 'inconclusive') {
    faults.push(...faultsOf(dull, reduced).map((fault) => `reduced: ${fault}`));
  }
  const one = await check(target, { memory, engine: 'certify', maxEvents: MAX_EVENTS, ...BOUNDS });
  const isProved = one.verdict === 'certified';
  if (isProved && dull.verdict !== 'certified') {
    faults.push(`a certificate, but ${[...dull.rules].join(' ')} after ${dull.shortest} steps`);
  }
  const [first] = result.findings;
  if (faults.length === 0 && first !== undefined && result.verdict === 'counterexample') {
    faults.push(...(await replayFaults(check, target, first)));
  }
  const verdicts = { search: result.verdict, reduced: reduced.verdict, certify: one.verdict };
  return { dull, faults, isProved, verdicts };
}

/** The trace of a counterexample shows the same finding again. */
async function replayFaults(check: Checker, target: Kernel, finding: Finding): Promise<string[]> {
  const { replayToken: replay } = finding;
  const rule = symptomOf(finding);
  if (replay === undefined) return ['the finding has no replay token'];
  const replayed = await check(target, { memory, replay });
  const rules = replayed.findings.map(symptomOf);
  if (rules.includes(rule)) return [];
  return [`${replay} should replay ${rule}, not ${rules.join(' ') || 'nothing'}`];
}

/** The length of the schedule that a counterexample shows. */
export function lengthOf({ verdict, findings }: CheckResult): number {
  return verdict === 'counterexample' ? (findings[0]?.trace?.length ?? -1) : -1;
}

function faultsOf(dull: DullResult, result: CheckResult): string[] {
  const faults: string[] = [];
  const rules = [...dull.rules].join(' ');
  if (result.verdict !== dull.verdict) {
    const why = result.reason ?? result.findings[0]?.rule;
    return [`check says ${result.verdict} (${why}), the dull search ${dull.verdict} (${rules})`];
  }
  const length = lengthOf(result);
  if (length !== dull.shortest) {
    const { rule } = result.findings[0]!;
    return [`${rule} after ${length} steps, the dull search ${rules} after ${dull.shortest}`];
  }
  if (dull.verdict === 'certified') {
    const warnings = [...new Set(result.findings.map((finding) => finding.rule))];
    const isKnown = warnings.every((rule) => dull.warnings.has(rule));
    if (!isKnown || (warnings.length === 0) !== (dull.warnings.size === 0)) {
      faults.push(
        `check warns of ${warnings.join(' ')}, the dull search ${[...dull.warnings].join(' ')}`,
      );
    }
    return faults;
  }
  const rule = symptomOf(result.findings[0]!);
  return isOf(dull.rules, rule) ? [] : [`check finds ${rule}, the dull search ${rules}`];
}
