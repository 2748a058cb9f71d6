// A pipe whose topology `poundlock check` examines: two ordered workers, and a stage that adds up.
//
// Run it by `node examples/pipes/log.ts`; check it by `poundlock check examples/pipes/log.ts`.
import { pipe } from 'poundlock/ring';

interface Entry {
  readonly path: string;
  readonly ms: number;
}

/** Runs on worker threads. */
export function parse(line: string): Entry {
  return JSON.parse(line) as Entry;
}

/** Runs on a worker thread, too: how long each path took, as often as that changes. */
export function* longest(entries: Iterable<Entry>): Generator<Entry> {
  const seen = new Map<string, number>();
  for (const entry of entries) {
    if (entry.ms <= (seen.get(entry.path) ?? -1)) continue;
    seen.set(entry.path, entry.ms);
    yield entry;
  }
}

const here = new URL(import.meta.url);
const stages = [{ parse: here, workers: 2, ordered: true }, { longest: here }];
const options = { name: 'log', bytes: 1024 };

export default pipe.describe(stages, options);

if (import.meta.main) {
  const lines = ['{"path":"/a","ms":3}', '{"path":"/a","ms":2}', '{"path":"/a","ms":9}'];
  await pipe(lines, stages, console.log, options).done;
}
