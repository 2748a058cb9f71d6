// Which values of a count are tried: the smallest, those at the stages of a ring, the next ones.
import type { IntegerParameter, Kernel, Program } from '@poundlock/core/internal/program';

/** Different numbers of stages of one kernel whose neighbors are tried, smallest first. */
const MAX_STAGE_NUMBERS = 4;
/** Rings of more stages are tables, and their sizes take long. */
const MAX_STAGES = 64;
/** Values beside those at the stages that are tried of a parameter that `every` names. */
const SPECIAL = [0, 1, 2, 3, 16, 17, 64, 133, 1_000] as const;
/** Different integers of a kernel's text that are tried, and the greatest. */
const MAX_INTEGERS = 8;
const MAX_INTEGER = 2_000;
/** The most characters of a kernel's text that are looked at. */
const MAX_TEXT = 100_000;

/**
 * How many stages the rings of a program have, smallest first: pipelines, and barriers with a
 * number in their name.
 */
export function stageNumbers({ declarations: { rings, barriers } }: Program): number[] {
  const lists = new Map<string, number>();
  for (const { name } of barriers) {
    const [, list, index] = /^(.*?)\[?(\d{1,4})\]?$/.exec(name) ?? [];
    if (list === undefined) continue;
    lists.set(list, Math.max(lists.get(list) ?? 0, Number(index) + 1));
  }
  const all = new Set([...rings.map(({ stages }) => stages), ...lists.values()]);
  const few = [...all].filter((stages) => stages <= MAX_STAGES).toSorted((a, b) => a - b);
  return few.slice(0, MAX_STAGE_NUMBERS);
}

/** The values around `value`: first those that take no time, then the most telling ones. */
export function sizesAround(value: number, stages: readonly number[]): number[] {
  const near = [0, 1, value + 1];
  const first = stages.flatMap((s) => [s, s + 1]);
  const last = [value - 1, ...stages.flatMap((s) => [s - 1, 2 * s])];
  return others(value, [...near, ...first, ...last]);
}

/** The end of a range is tried up to so many of its steps: a kernel may declare as many things. */
const MAX_END = 65_536;

/** The values of a declared range: both of its ends, and those around `value`. */
export function sizesInRange(
  { min, max, multipleOf }: IntegerParameter,
  value: number,
  stages: readonly number[],
): number[] {
  const [first, last] = [Math.ceil(min / multipleOf), Math.floor(max / multipleOf)];
  const ends = [first, ...(last <= MAX_END ? [last] : [])];
  const counts = [...ends, ...sizesAround(value / multipleOf, stages)];
  const isInside = (count: number): boolean => count >= first && count <= last;
  return [...new Set(counts.filter(isInside).map((count) => count * multipleOf))].filter(
    (size) => size !== value,
  );
}

/** The values that are tried beside a proof for every value, smallest first. */
export function sizesForEvery(
  value: number,
  stages: readonly number[],
  integers: readonly number[],
): number[] {
  const near = integers.flatMap((one) => [one, one + 1]);
  const all = [...SPECIAL, ...near, value, ...sizesAround(value, stages)];
  return others(-1, all).toSorted((one, other) => one - other);
}

function others(value: number, sizes: readonly number[]): number[] {
  return [...new Set(sizes)].filter((size) => size >= 0 && size !== value);
}

/**
 * The integers in the text of a kernel and its defaults: a condition on a size is likely to compare
 * with one of them. It is only a choice of sizes to try; no proof rests on the text.
 */
export function integersOf({ build, defaults }: Kernel): number[] {
  const functions = [build, ...Object.values(defaults).filter((one) => typeof one === 'function')];
  const texts = functions.map((one) => String(one).slice(0, MAX_TEXT));
  const found = texts.flatMap((text) => text.match(/(?<![\w.])\d[\d_]*(?![\w.])/g) ?? []);
  const integers = found.map((digits) => Number(digits.replaceAll('_', '')));
  const few = [...new Set(integers)].filter((one) => one > 3 && one <= MAX_INTEGER);
  return few.slice(0, MAX_INTEGERS);
}
