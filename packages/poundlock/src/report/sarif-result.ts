// A finding as a SARIF result: message, related locations, and the schedule as a code flow.
import type { CodeFlow, Result, ThreadFlowLocation } from 'sarif';
import type { Finding, Report, ReportedFinding, TraceStep } from '@poundlock/core/internal/finding';
import { fingerprint } from './fingerprint.ts';
import { distinctPlaces } from './frame.ts';
import { counted } from '@poundlock/core/internal/base';
import { location } from './sarif-location.ts';
import { agentName } from './lanes.ts';
import { smallerLine } from './smaller.ts';
import { barrierText, slotText } from './trace.ts';

/** The whole finding as text: readers do not show related locations without a link to them. */
function messageText(
  { message, primary, notes, helps, also, replayCommand }: Finding,
  labels: string[],
): string {
  const lines = [message, primary.text, ...labels];
  lines.push(...notes.map((note) => `note: ${note}`), ...helps.map((help) => `help: ${help}`));
  // Some readers join all lines to one paragraph.
  const sentences = lines.map((line) => `${line}.`);
  if (also !== undefined) sentences.push(`also: ${smallerLine(also)}`);
  if (replayCommand !== undefined) sentences.push(`replay: ${replayCommand}`);
  return sentences.join('\n');
}

function flowLocation(step: TraceStep, index: number): ThreadFlowLocation {
  const { agent, file, line, column, effects } = step;
  const states = [
    ...step.barriers.map((state) => [state.name, { text: barrierText(state, 0) }]),
    ...step.slots.map((state) => [state.name, { text: slotText(state) }]),
  ];
  const text = [`${agentName(step)}: ${step.text}`, ...effects].join('; ');
  const where = { text, agent, ...(file !== undefined && { file }) };
  return {
    location: location({
      ...where,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }),
    executionOrder: index + 1,
    ...(states.length > 0 && { state: Object.fromEntries(states) }),
  };
}

/** One thread flow for all roles, because their interleaving matters. */
function codeFlow(trace: readonly TraceStep[]): CodeFlow {
  const text = `the schedule: ${counted(trace.length, 'step')}`;
  return { message: { text }, threadFlows: [{ locations: trace.map(flowLocation) }] };
}

/** The kernel of a result, if it has one. */
function kernelOf(result: Report['results'][number]): object {
  return 'kernel' in result ? { kernel: result.kernel, params: result.params } : {};
}

/** A finding of `result`, whose rule has this index in the log. */
export function sarifResult(
  finding: ReportedFinding,
  result: Report['results'][number],
  ruleIndex: number,
): Result {
  const { rule, severity, primary, trace = [], replayToken, replayCommand } = finding;
  const others = distinctPlaces([primary, ...finding.labels]).slice(1);
  const links = others.map(({ file, line, text }, at) => `[${file}:${line}](${at + 1}): ${text}`);
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: messageText(finding, links) },
    locations: [location({ ...primary, agent: primary.role })],
    ...(others.length > 0 && {
      relatedLocations: others.map((place, at) =>
        location({ ...place, agent: place.role, id: at + 1 }),
      ),
    }),
    ...(trace.length > 0 && { codeFlows: [codeFlow(trace)] }),
    partialFingerprints: { 'poundlockFinding/v1': fingerprint(finding) },
    properties: { ...kernelOf(result), replayToken, replayCommand },
  };
}
