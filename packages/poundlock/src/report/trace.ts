// A schedule as a table of steps: who moves, what it does, what that changes, where it is written.
import type { TraceStep } from '../finding/index.ts';
import type { Paint } from './paint.ts';
import { counted } from './quantity.ts';
import { padded, widthOf } from './width.ts';

/** The widest description that still gets its place in the same column as the others. */
const MAX_ALIGNED_COLUMNS = 64;

function placeOf(step: TraceStep): string {
  return step.file === undefined || step.line === undefined ? '' : `${step.file}:${step.line}`;
}

/** A unit often has the name of a role: only units stand in parentheses. */
export function agentName({ agent, kind }: TraceStep): string {
  return kind === 'unit' ? `(${agent})` : agent;
}

function widest(texts: readonly string[], limit: number): number {
  return Math.max(0, ...texts.map(widthOf).filter((width) => width <= limit));
}

/** Renders the steps with a heading that counts them; effects stand below the step they follow. */
export function traceTable(trace: readonly TraceStep[], paint: Paint): string[] {
  const numbers = String(trace.length).length;
  const agents = widest(trace.map(agentName), MAX_ALIGNED_COLUMNS);
  const texts = widest(
    trace.map((step) => step.text),
    MAX_ALIGNED_COLUMNS,
  );
  const indent = ' '.repeat(numbers + agents + 7);
  const end = trace.length === 0 ? ': the kernel starts like this' : '';
  const output = [`   trace: ${counted(trace.length, 'step')}${end}`];
  for (const [index, step] of trace.entries()) {
    const number = paint.frame(String(index + 1).padStart(numbers));
    const agent = padded(agentName(step), agents);
    const who = step.kind === 'role' ? paint.strong(agent) : paint.faint(agent);
    const line = `   ${number}  ${who}  ${padded(step.text, texts)}  ${paint.faint(placeOf(step))}`;
    output.push(line.trimEnd());
    for (const effect of step.effects) output.push(`${indent}${paint.faint(`→ ${effect}`)}`);
  }
  return output;
}
