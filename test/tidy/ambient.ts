// Code below cli reads no arguments, environment, clock or randomness, and writes to no stream.
// Exception: threads that wait read the monotonic clock, as their time-outs are real time.
import { faultAt, type Fault, type Source } from './source.ts';

const AMBIENT =
  /(?<![\w$.])(?:globalThis\.)?(?:(?:process|performance|console)\.\w+|Date\.now|Math\.random|new Date\b)/g;

/** The command line, tests of users, and what runs as a process or thread of its own. */
const PROCESSES = /^(?:cli|host|farm|test)\/|^lint\/lsp\/(?:start-)?thread\.ts$/;

const WAITING_ROOMS = /^(?:ring|run)\//;

export function ambientFaults(file: Source): Fault[] {
  if (PROCESSES.test(file.path)) return [];
  const waits = WAITING_ROOMS.test(file.path);
  const uses = [...file.code.matchAll(AMBIENT)].filter(([what]) => {
    return !(waits && /^performance\.(?:now|timeOrigin)$/.test(what));
  });
  return uses.map((match) =>
    faultAt(file, match.index, `uses ${match[0]}: it is injected by cli, randomness is a seed`),
  );
}
