// What a run showed: findings in code frames and one line for people, or one JSON document.
import type { RunResult } from '../run/index.ts';
import { findingLines } from './finding.ts';
import { counted, duration, grouped } from './quantity.ts';
import type { Surroundings } from './report.ts';
import { parametersAsText } from './summary.ts';

export const RUN_SCHEMA = 'poundlock/run@1';

/** `poundlock/run@1`. */
export function runAsJson(result: RunResult): string {
  const { kernel, params, items, elapsedMs, itemsPerSecond, conforms, findings, reason } = result;
  const facts = { kernel, params, items, elapsedMs, itemsPerSecond, conforms, findings, reason };
  return `${JSON.stringify({ schema: RUN_SCHEMA, ...facts }, null, 2)}\n`;
}

/** `ran  ring (stages=3): 1,000 items in 12 ms, 83,333 a second · the trace conforms`. */
export function runAsText(result: RunResult, surroundings: Surroundings): string {
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

function conformance({ conforms }: RunResult): string {
  if (conforms === null) return 'nothing was recorded';
  return conforms ? 'the trace is a path of the machine' : 'the trace is no path of the machine';
}
