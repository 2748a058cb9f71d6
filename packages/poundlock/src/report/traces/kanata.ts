// Timelines for Konata, the pipeline viewer: one line for each item, in Kanata 0004.
import type { Report, SimulationDetail } from '@poundlock/core/internal/finding';
import { detailedRun } from '../simulation.ts';

interface Command {
  readonly cycle: number;
  readonly text: string;
}

/** Stages of an operation: W while its role waits, X while it executes; F is a flight. */
function commandsOf({ timeline, roles }: SimulationDetail): Command[] {
  if (timeline === null) return [];
  const commands: Command[] = [];
  let id = 0;
  const item = (start: number, thread: number, label: string): number => {
    commands.push(
      { cycle: start, text: `I\t${id}\t${id}\t${thread}` },
      { cycle: start, text: `L\t${id}\t0\t${label}` },
    );
    return id++;
  };
  const stage = (at: number, start: number, end: number, name: string): void => {
    commands.push(
      { cycle: start, text: `S\t${at}\t0\t${name}` },
      { cycle: end, text: `E\t${at}\t0\t${name}` },
    );
  };
  for (const { role, name, start, end, stall } of timeline.spans) {
    const at = item(start, role, `${roles[role]!.name}: ${name}`);
    if (stall > 0) stage(at, start, start + stall, 'W');
    stage(at, start + stall, end, 'X');
    commands.push({ cycle: end, text: `R\t${at}\t${at}\t0` });
  }
  for (const { unit, name, role, start, end } of timeline.flights) {
    const at = item(start, roles.length, `${unit}: ${name} of ${roles[role]!.name}`);
    stage(at, start, end, 'F');
    commands.push({ cycle: end, text: `R\t${at}\t${at}\t0` });
  }
  return commands.map((one) => ({ ...one, cycle: Math.round(one.cycle) }));
}

/** The log, in order of cycles; empty for a sweep. */
export function kanataLog(report: Report<'simulate'>): string {
  const run = detailedRun(report);
  const commands = run === null ? [] : commandsOf(run.detail);
  const lines = ['Kanata\t0004', 'C=\t0'];
  let cycle = 0;
  for (const command of commands.toSorted((a, b) => a.cycle - b.cycle)) {
    if (command.cycle > cycle) lines.push(`C\t${command.cycle - cycle}`);
    cycle = command.cycle;
    lines.push(command.text);
  }
  return `${lines.join('\n')}\n`;
}
