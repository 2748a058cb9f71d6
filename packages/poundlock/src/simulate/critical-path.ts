// The critical path of a run: from its end back to its start, along the cause of each wait.
import type { PathShare, Timeline, TimelinePiece } from '@poundlock/core/internal/finding';
import type { Recording, Span } from './recording.ts';

/** The pieces from the last to the first; empty when the recording was cut off. */
export function criticalPath(
  recording: Recording,
  last: { readonly role: number; readonly time: number },
): TimelinePiece[] {
  if (recording.isTruncated) return [];
  const byRole = Map.groupBy(recording.spans, (span) => span.role);
  const pieces: TimelinePiece[] = [];
  const add = (what: TimelinePiece['what'], start: number, end: number, flight = -1): void => {
    if (end > start) pieces.push({ what, role, flight, start, end });
  };
  let { role, time } = last;
  // Each wait is visited at most once, so the loop terminates.
  for (let left = recording.spans.length; left > 0; left--) {
    const wait = lastStall(byRole.get(role) ?? [], time);
    const signal = wait === undefined ? undefined : recording.signals[wait.signal];
    if (wait === undefined || signal === undefined) break;
    add('role', wait.end, time);
    add('wake', signal.time, wait.end);
    time = signal.time;
    if (signal.role >= 0) {
      role = signal.role;
      continue;
    }
    const flight = recording.flights[signal.flight];
    if (flight === undefined) break;
    ({ role } = flight);
    add('flight', flight.start, time, signal.flight);
    time = flight.start;
  }
  add('role', 0, time);
  return pieces;
}

/** Total cycles on the path by kind and name, longest first. */
export function pathShares({ path, flights }: Timeline, roles: readonly string[]): PathShare[] {
  const shares = new Map<string, { what: PathShare['what']; name: string; cycles: number }>();
  for (const { what, role, flight, start, end } of path) {
    const work = flights[flight];
    const name = work === undefined ? roles[role]! : `${work.unit} ${work.name}`;
    const key = `${what} ${name}`;
    const share = shares.get(key) ?? { what, name, cycles: 0 };
    share.cycles += end - start;
    shares.set(key, share);
  }
  return [...shares.values()].toSorted((a, b) => b.cycles - a.cycles);
}

/** The last wait of a role that stalled and ended by `time`; spans are in order of their ends. */
function lastStall(spans: readonly Span[], time: number): Span | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.end <= time) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0; at--) {
    if (spans[at]!.stall > 0 && spans[at]!.signal >= 0) return spans[at];
  }
  return undefined;
}
