// The rate of long work and the time that is left, from counts of what is done.
import { grouped } from '../base/index.ts';

/** Samples that are remembered, evenly over the whole time. */
const MAX_SAMPLES = 64;
const FIRST_DISTANCE_MS = 50;
/** The rate is that of at least this share of the samples, so that a change shows. */
const RECENT_SHARE = 0.5;
/** No rate is known before this. */
const LEAST_MS = 500;

const MS_PER_SECOND = 1000;
const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;

interface Sample {
  readonly time: number;
  readonly done: number;
}

/** Follows one count. */
export class Pace {
  #samples: Sample[] = [];
  /** The least time between samples, which grows with the whole time. */
  #distance = FIRST_DISTANCE_MS;

  /** What is done at a time; less than before starts anew. */
  note(done: number, time: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && done < last.done) this.#restart();
    const before = this.#samples.at(-2);
    if (before !== undefined && time - before.time < this.#distance) this.#samples.pop();
    this.#samples.push({ time, done });
    const length = this.#samples.length;
    if (length <= MAX_SAMPLES) return;
    this.#samples = this.#samples.filter((_, at) => at % 2 === 0 || at === length - 1);
    this.#distance *= 2;
  }

  #restart(): void {
    this.#samples = [];
    this.#distance = FIRST_DISTANCE_MS;
  }

  /** How much is done in a millisecond; `null` while it is not known. */
  get perMillisecond(): number | null {
    const last = this.#samples.at(-1);
    const first = this.#samples[0];
    if (last === undefined || first === undefined) return null;
    const from = last.time - (last.time - first.time) * RECENT_SHARE;
    const since = this.#samples.findLast(({ time }) => time <= from) ?? first;
    // Where little is done, only all of it says how fast.
    const start = last.done - since.done > 1 ? since : first;
    const [time, done] = [last.time - start.time, last.done - start.done];
    return time < LEAST_MS || done === 0 ? null : done / time;
  }

  /** Milliseconds until `all` is done; `null` while that is not known. */
  left(all: number): number | null {
    const rate = this.perMillisecond;
    const last = this.#samples.at(-1);
    return rate === null || last === undefined ? null : Math.max(0, all - last.done) / rate;
  }
}

/** A rate in the unit of time that people would choose: `1,200/s`, `12/min`, `3/h`. */
export function rateText(perMillisecond: number): string {
  const perSecond = perMillisecond * MS_PER_SECOND;
  if (perSecond >= 1) return `${grouped(Math.round(perSecond))}/s`;
  const perMinute = perMillisecond * MS_PER_MINUTE;
  if (perMinute >= 1) return `${Math.round(perMinute)}/min`;
  return `${(perMillisecond * MS_PER_HOUR).toFixed(perMillisecond * MS_PER_HOUR >= 1 ? 0 : 1)}/h`;
}

/** A time that is estimated, without more digits than are known: `40 s`, `12 min`, `3 h 20 min`. */
export function roughTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / MS_PER_SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(milliseconds / MS_PER_MINUTE);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
