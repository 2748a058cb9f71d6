// What a run showed: findings in code frames and one line for people, or one JSON document.
import type { RunResult } from '../run/index.ts';
import { findingLines } from './finding.ts';
import { counted, duration, grouped } from '@poundlock/core/internal/base';
import type { Surroundings } from './report.ts';
import { parametersAsText } from './summary.ts';

export const RUN_SCHEMA = 'poundlock/run@2';

/** What a run showed, and what was made of it. */
export interface ShownRun extends RunResult {
  /** Whether the recorded trace is certified in every order; `null` where nobody asked. */
  readonly certified: boolean | null;
}

/** `poundlock/run@2`. */
export function runAsJson({ recorded: _recorded, ...result }: ShownRun): string {
  const { findings, reason, ...facts } = result;
  return `${JSON.stringify({ schema: RUN_SCHEMA, ...facts, findings, reason }, null, 2)}\n`;
}

/** `ran  ring (stages=3): 1,000 items in 12 ms, 83,333 a second · the trace conforms`. */
export function runAsText(result: ShownRun, surroundings: Surroundings): string {
  const { paint } = surroundings;
  const blocks = result.findings.map((finding) => findingLines(finding, surroundings).join('\n'));
  const params = parametersAsText(result.params);
  const subject = params === '' ? result.kernel : `${result.kernel} (${params})`;
  const { items, elapsedMs, itemsPerSecond } = result;
  const rate = itemsPerSecond > 0 ? `, ${grouped(itemsPerSecond)} a second` : '';
  const work = `${counted(items, 'item')} in ${duration(elapsedMs)}${rate}`;
  const line = `${word(result, paint)}  ${subject}: ${ending(result)}${work}`;
  return [...blocks, `${line} ${paint.faint(`· ${conformance(result)}`)}`].join('\n\n') + '\n';
}

function word(result: RunResult, paint: Surroundings['paint']): string {
  const isBroken = result.findings.some(({ severity }) => severity === 'error');
  if (isBroken || result.conforms === false) return paint.error(paint.strong('broke'));
  if (result.reason !== undefined) return paint.warning(paint.strong('stopped'));
  return paint.good(paint.strong('ran'));
}

function ending({ findings, reason }: RunResult): string {
  const first = findings.find(({ severity }) => severity === 'error');
  if (first !== undefined) return `${first.rule} after `;
  return reason === undefined ? '' : `${reason}; `;
}

function conformance({ conforms, certified }: ShownRun): string {
  if (conforms === null) return 'nothing was recorded';
  if (!conforms) return 'the trace is no path of the machine';
  const path = 'the trace is a path of the machine';
  if (certified === null) return path;
  if (certified) return `${path}; certified from the recorded trace`;
  return `${path}, but another order of it may go wrong: ask poundlock check`;
}
