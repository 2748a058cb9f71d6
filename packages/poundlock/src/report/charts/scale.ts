// Axes of a chart: from numbers to places, with round numbers beside them.

/** From numbers to places on a picture. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** About so many ticks of an axis. */
const TICKS = 5;

/** A step of an axis: 1, 2 or 5 times a power of ten, or of two for bytes. */
function stepOf(length: number, isBinary: boolean): number {
  const wanted = length / TICKS;
  if (isBinary) return 2 ** Math.round(Math.log2(wanted));
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((each) => each * power >= wanted) ?? 10;
  return factor * power;
}

/** A scale from at most `least` to at least `most`. */
export function scaleOf(
  least: number,
  most: number,
  [from, to]: readonly [number, number],
  isBinary = false,
): Scale {
  const step = stepOf(most > least ? most - least : Math.max(most, 1), isBinary);
  const first = Math.floor(least / step + 1e-9) * step;
  const count = Math.max(1, Math.ceil((most - first) / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, index) => first + index * step);
  const end = ticks.at(-1)!;
  return { at: (value) => from + ((to - from) * (value - first)) / (end - first), ticks };
}

/** Where an axis of times starts: not at 0 where that would leave no room for differences. */
export function startOf(times: readonly number[]): number {
  const [least, most] = [Math.min(...times), Math.max(...times)];
  return least > most / 2 ? least - (most - least) / 10 : 0;
}

/** A place without needless digits. */
export function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}
