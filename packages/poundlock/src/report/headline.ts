// Summarizes the report of a command in one plain line.
import { counted, duration, grouped } from '@poundlock/core/internal/base';
import { completedResults, isFailure } from '@poundlock/core/internal/finding';
import type { Report, ReportedFailure, ReportedLint } from '@poundlock/core/internal/finding';
import { gainOf, sortedProposals } from './advice.ts';
import { PLAIN } from './paint.ts';
import { renderByVerb, type ByVerb } from './reporter.ts';
import { runLine } from './run.ts';
import { cyclesText, kneeIndex } from './simulation.ts';
import { titleOf } from './summary.ts';
import { reviewOf } from './synchronization.ts';
import { COULD_NOT_RUN, failureWord, totalLine } from './table.ts';

const HEADLINES: ByVerb<[]> = {
  check: totalLine,
  simulate: simulateHeadline,
  advise: adviseHeadline,
  run: (report) =>
    completedResults(report).map((run) => runLine(run, PLAIN))[0] ?? failureOf(report),
  lint: lintHeadline,
};

/** What a report without results came to. */
function failureOf(report: Report): string {
  const failure = report.results.find((one): one is ReportedFailure => isFailure(one));
  return failure === undefined ? COULD_NOT_RUN : failureWord(failure);
}

/** The headline of a report, by verb. */
export function headlineOf(report: Report): string {
  return renderByVerb(HEADLINES, report);
}

/** `gemm (stages=3): 12,345 cycles · 6.2 µs at 1980 MHz`; of many runs, the knee or the best. */
function simulateHeadline(report: Report<'simulate'>): string {
  const runs = completedResults(report);
  const [first] = runs;
  if (first === undefined) return failureOf(report);
  if (!report.isBatch) return `${titleOf(first)}: ${cyclesText(first)}`;
  const knee = kneeIndex(report, runs);
  const best = runs.reduce((one, other) => (other.totalCycles < one.totalCycles ? other : one));
  const shown = runs[knee] ?? best;
  const word = knee < 0 ? 'the best' : 'knee';
  const result = `${titleOf(shown)} with ${grouped(shown.totalCycles)} cycles`;
  return `${counted(runs.length, 'run')}, ${word}: ${result}`;
}

/** `gemm (stages=3): now 12,345 cycles; best: 1.25× release ab …`. */
function adviseHeadline(report: Report<'advise'>): string {
  const [result] = completedResults(report);
  if (result === undefined) return failureOf(report);
  if (result.current === null) return `${titleOf(result)}: ${reviewOf(result)}`;
  const now = `${titleOf(result)}: now ${grouped(result.current.totalCycles)} cycles`;
  const [best] = sortedProposals(result);
  if (best === undefined || gainOf(best).kind !== 'faster') return `${now}; no change is faster`;
  return `${now}; best: ${gainOf(best).text} ${best.change}`;
}

/** `3 findings in 120 files · 2 suppressed, 0.8 s`. */
function lintHeadline(report: Report<'lint'>): string {
  const [result] = completedResults(report);
  if (result === undefined) return failureOf(report);
  const { files, unread, suppressed, known, fixed, elapsedMs, coverage } = result;
  const { length } = report.findings;
  const what = length === 0 ? 'no findings' : counted(length, 'finding');
  const facts = [duration(elapsedMs)];
  if (fixed > 0) facts.unshift(`${counted(fixed, 'fix').replace('fixs', 'fixes')} applied`);
  if (known > 0) facts.unshift(`${known} in the baseline`);
  if (unread > 0) facts.unshift(`${counted(unread, 'file')} not linted`);
  if (suppressed > 0) facts.unshift(`${suppressed} suppressed`);
  const head = `${what} in ${counted(files, 'file')} · ${facts.join(', ')}`;
  return [head, ...coverageOf(coverage)].join('; ');
}

/** `followed 212 handles of 14 kinds in 83 files; 2 functions hit a bound`. */
function coverageOf(coverage: ReportedLint['coverage']): string[] {
  const { handles, kinds, files, bounds, sound } = coverage;
  const where = `${counted(kinds, 'kind')} in ${counted(files, 'file')}`;
  const parts = [`followed ${counted(handles, 'handle')} of ${where}`];
  if (sound.files > 0) parts.push(soundness(coverage));
  if (bounds > 0) parts.push(`${counted(bounds, 'function')} hit a bound`);
  return parts;
}

/** `sound in 12 files: 48 handles proved, 3 places refused, 1 suppressed`. */
function soundness({ sound }: ReportedLint['coverage']): string {
  const { files, proved, refused, suppressed } = sound;
  const places = `${counted(refused, 'place')} refused, ${suppressed} suppressed`;
  return `sound in ${counted(files, 'file')}: ${counted(proved, 'handle')} proved, ${places}`;
}
