// The critical path of a run: from its end back to its start, along the cause of each wait.
import type { PathShare } from '@poundlock/core/internal/finding';
import type { Recording, Span } from './recording.ts';

/** One piece of the path: a role's own time, a wait's last poll, or a flight. */
export interface PathPiece {
  readonly what: PathShare['what'];
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The pieces from the last to the first; empty when the recording was cut off. */
export function criticalPath(
  recording: Recording,
  roles: readonly string[],
  last: { readonly role: number; readonly time: number },
): PathPiece[] {
  if (recording.isTruncated) return [];
  const byRole: Span[][] = roles.map(() => []);
  for (const span of recording.spans) byRole[span.role]?.push(span);
  const pieces: PathPiece[] = [];
  const add = (what: PathPiece['what'], name: string, from: number, to: number): void => {
    if (to > from) pieces.push({ what, name, from, to });
  };
  let { role, time } = last;
  // Each wait is visited at most once, so the loop terminates.
  for (let left = recording.spans.length; left > 0; left--) {
    const wait = lastStall(byRole[role]!, time);
    const signal = wait === undefined ? undefined : recording.signals[wait.signal];
    if (wait === undefined || signal === undefined) break;
    add('role', roles[role]!, wait.end, time);
    add('wake', roles[role]!, signal.time, wait.end);
    time = signal.time;
    if (signal.role >= 0) {
      role = signal.role;
      continue;
    }
    const flight = recording.flights[signal.flight];
    if (flight === undefined) break;
    add('flight', `${flight.unit} ${flight.name}`, flight.start, time);
    ({ role, start: time } = flight);
  }
  add('role', roles[role]!, 0, time);
  return pieces;
}

/** Total cycles on the path by kind and name, longest first. */
export function pathShares(pieces: readonly PathPiece[]): PathShare[] {
  const shares = new Map<string, { what: PathPiece['what']; name: string; cycles: number }>();
  for (const { what, name, from, to } of pieces) {
    const key = `${what} ${name}`;
    const share = shares.get(key) ?? { what, name, cycles: 0 };
    share.cycles += to - from;
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
