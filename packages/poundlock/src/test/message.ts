// The message of a failed certificate: the frames of the command line, and what was certified.
import { counted } from '@poundlock/core/internal/base';
import { reportOf, type CheckResult } from '@poundlock/core/internal/finding';
import { reporterEnvironment } from '../cli/reporter-environment.ts';
import { version } from '../cli/version.ts';
import { parametersAsText, REPORTERS, statement, subject } from '../report/index.ts';

/** The most results whose frames a message shows, and the most that it names. */
const MAX_FRAMES = 3;
const MAX_NAMED = 20;

/** A result that is not certified comes with its frames; the others are named. */
export function messageOf(
  failed: readonly CheckResult[],
  certified: readonly CheckResult[],
  { file, cwd, isReplay }: { file: string; cwd: string; isReplay: boolean },
): string {
  const [first] = failed;
  const heading = `${subject(first!)} is not certified: ${statement(first!)}`;
  const shown = failed.slice(0, MAX_FRAMES);
  const report = reportOf(
    'check',
    version(),
    shown.map(({ findings, ...rest }) => ({ result: { verb: 'check', file, ...rest }, findings })),
    { isBatch: false },
  );
  const schedules = isReplay ? 'whole' : 'hidden';
  const environment = reporterEnvironment({ cwd, env: {} }, undefined, { schedules });
  const lines = [heading, '', REPORTERS.terminal.render(report, environment).trimEnd()];
  const more = failed.slice(MAX_FRAMES);
  if (more.length > 0) lines.push('', `not certified either: ${namesOf(more)}`);
  if (certified.length > 0) lines.push('', `certified: ${namesOf(certified)}`);
  return lines.join('\n');
}

function namesOf(results: readonly CheckResult[]): string {
  const names = results.slice(0, MAX_NAMED).map(({ params }) => parametersAsText(params));
  const more = results.length - names.length;
  return [...names, ...(more > 0 ? [`and ${counted(more, 'more')}`] : [])].join(' · ');
}
