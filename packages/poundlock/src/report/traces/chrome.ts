// Timelines for chrome://tracing and Perfetto: tracks for roles and units, flows for signals.
import type { TimelineFlight, Report, SimulationDetail } from '@poundlock/core/internal/finding';
import { completedResults } from '@poundlock/core/internal/finding';
import { detailedRun } from '../simulation.ts';

type TraceEvent = Readonly<Record<string, unknown>>;

const ROLES = 1;
const UNITS = 2;

function named(process: number, thread: number, what: string, name: string): TraceEvent {
  return { ph: 'M', pid: process, tid: thread, name: what, args: { name } };
}

/** Flights that overlap get a lane each, so that every one of them shows. */
function lanesOf(flights: readonly TimelineFlight[]): { flight: TimelineFlight; lane: string }[] {
  const free = new Map<string, number[]>();
  return flights.map((flight) => {
    const lanes = free.get(flight.unit) ?? [];
    free.set(flight.unit, lanes);
    let lane = lanes.findIndex((end) => end <= flight.start);
    if (lane < 0) lane = lanes.length;
    lanes[lane] = flight.end;
    return { flight, lane: `${flight.unit} ${lane}` };
  });
}

/** Times are in microseconds; without a clock, one cycle is 1 µs on the axis. */
function eventsOf({ timeline, roles }: SimulationDetail, megahertz: number): TraceEvent[] {
  if (timeline === null) return [];
  const events: TraceEvent[] = [
    named(ROLES, 0, 'process_name', 'roles'),
    named(UNITS, 0, 'process_name', 'units'),
    ...roles.map(({ name }, role) => named(ROLES, role + 1, 'thread_name', name)),
  ];
  const clock = megahertz || 1;
  const lanes = new Map<string, number>();
  const placed = lanesOf(timeline.flights).map(({ flight, lane }) => {
    if (!lanes.has(lane)) {
      lanes.set(lane, lanes.size + 1);
      events.push(named(UNITS, lanes.size, 'thread_name', lane));
    }
    return { flight, tid: lanes.get(lane)! };
  });
  for (const { flight, tid } of placed) {
    const { name, start, end, bytes, role } = flight;
    const args = { bytes, role: roles[role]!.name };
    const span = { ts: start / clock, dur: (end - start) / clock };
    events.push({ ph: 'X', pid: UNITS, tid, ...span, name, cat: 'unit', args });
  }
  for (const { role, name, start, end, stall, cause, signal } of timeline.spans) {
    const place = { pid: ROLES, tid: role + 1 };
    const span = { ph: 'X', ...place, ts: start / clock, dur: (end - start) / clock };
    if (cause === null) events.push({ ...span, name, cat: 'work' });
    else events.push({ ...span, name: `${name} (${cause})`, cat: 'wait', args: { stall } });
    const from = timeline.signals[signal];
    if (cause === null || from === undefined) continue;
    const origin =
      from.role >= 0
        ? { pid: ROLES, tid: from.role + 1, ts: from.time / clock }
        : { pid: UNITS, tid: placed[from.flight]?.tid ?? 1, ts: (from.time - 1) / clock };
    const flow = { id: events.length, name: 'signal', cat: 'signal' };
    events.push(
      { ph: 's', ...origin, ...flow },
      { ph: 'f', bp: 'e', ...place, ts: end / clock, ...flow },
    );
  }
  return events;
}

/** `{"traceEvents": […]}`; a sweep has no trace. */
export function chromeTrace(report: Report<'simulate'>): string {
  const run = detailedRun(report);
  const traceEvents = run === null ? [] : eventsOf(run.detail, run.model.clockMegahertz);
  const [first] = completedResults(report);
  const megahertz = first?.model.clockMegahertz ?? 0;
  const otherData = { kernel: first?.kernel, model: first?.model.name, megahertz };
  return `${JSON.stringify({ traceEvents, displayTimeUnit: 'ns', otherData })}\n`;
}
