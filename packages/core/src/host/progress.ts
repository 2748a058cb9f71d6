// Progress of long work on stderr: one line that changes on a terminal, one a minute in CI.
import { counted, displayText, duration, grouped } from '../base/index.ts';
import type { Host } from './host.ts';
import { Pace, rateText, roughTime } from './pace.ts';

/** One count of some work, such as the files of a command or the states of a search. */
export interface Amount {
  readonly done: number;
  /** How many there are; `null` where that is not known. */
  readonly all: number | null;
  /** What is counted, in the singular. */
  readonly unit: string;
  /** Other facts, the most important first. */
  readonly facts?: readonly string[];
}

/** Work that ends before this shows no progress. */
const FIRST_AFTER_MS = 400;
const EVERY_MS = 100;
/** The time between two lines in a log. */
const LOG_EVERY_MS = 60_000;
const CLEAR = '\r\u001b[2K';

/** Where progress is written: a terminal, a log that people wait for, or nowhere. */
type Place = 'terminal' | 'log' | 'nowhere';

function placeOf({ stderr, env }: Host): Place {
  if (stderr.isTerminal) return env['TERM'] === 'dumb' ? 'log' : 'terminal';
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return isCi ? 'log' : 'nowhere';
}

/**
 * Shows how far some work is, how fast it is and how long it still takes. Call `update` as often as
 * is convenient, and `clear` before anything else is written.
 */
export class Progress {
  readonly #host: Host;
  readonly #place: Place;
  readonly #start: number;
  /** One for each unit. */
  readonly #paces = new Map<string, Pace>();
  #isShown = false;
  #next: number;

  constructor(host: Host) {
    this.#host = host;
    this.#place = placeOf(host);
    this.#start = host.now();
    this.#next = this.#start + (this.#place === 'log' ? LOG_EVERY_MS : FIRST_AFTER_MS);
  }

  /** What is done now: `work` such as `checking gemm.ts`, and counts, the outermost first. */
  update(work: string, amounts: readonly Amount[]): void {
    const { stderr, now } = this.#host;
    const time = now();
    if (this.#place === 'nowhere') return;
    for (const { unit, done } of amounts) this.#pace(unit).note(done, time);
    if (time < this.#next) return;
    const parts = amounts.flatMap((amount) => this.#parts(amount));
    const spent = duration(time - this.#start);
    if (this.#place === 'log') {
      this.#next = time + LOG_EVERY_MS;
      stderr.write(`${displayText(`${work}: ${[...parts, spent].join(', ')}`)}\n`);
      return;
    }
    this.#next = time + EVERY_MS;
    this.#isShown = true;
    stderr.write(CLEAR + fitted(displayText(work), [...parts, spent], stderr.columns - 1));
  }

  /** Removes the line before other output. */
  clear(): void {
    if (this.#isShown) this.#host.stderr.write(CLEAR);
    this.#isShown = false;
  }

  #pace(unit: string): Pace {
    const known = this.#paces.get(unit) ?? new Pace();
    this.#paces.set(unit, known);
    return known;
  }

  #parts({ done, all, unit, facts = [] }: Amount): string[] {
    const pace = this.#pace(unit);
    const rate = pace.perMillisecond;
    const left = all === null ? null : pace.left(all);
    return [
      all === null ? counted(done, unit) : `${grouped(done)} of ${counted(all, unit)}`,
      ...(left === null ? [] : [`about ${roughTime(left)} left`]),
      ...(rate === null ? [] : [rateText(rate)]),
      ...facts,
    ];
  }
}

/** The work with as many parts as fit; on a narrow terminal its name is cut before its counts. */
function fitted(work: string, parts: readonly string[], columns: number): string {
  const [first = '', ...rest] = parts;
  const room = Math.max(0, columns - first.length - 2);
  const name = work.length <= room ? work : `${work.slice(0, Math.max(0, room - 1))}…`;
  const start = room < 2 ? first : `${name}: ${first}`;
  const text = rest.reduce((line, part) => {
    return `${line} · ${part}`.length <= columns ? `${line} · ${part}` : line;
  }, start);
  return text.slice(0, Math.max(0, columns));
}
