// The kinds of values that options have: words of a list, numbers, flags, lists, objects.
import { displayText } from './display.ts';

/** What the value of an option must be. */
export interface OptionValue<T> {
  /** Whether a value is one. */
  readonly accepts: (value: unknown) => value is T;
  /** In messages, after `must be`. */
  readonly must: string;
  /** The words that it may be, where these are a closed list. */
  readonly words?: readonly string[];
  /** The keys that it may have, where it is an object. */
  readonly keys?: readonly string[];
  /** Whether messages leave the option out: only other packages set it. */
  readonly isInternal?: true;
}

/**
 * What the values of options can be, for tables of options.
 *
 * @example
 * import { option, optionTable } from '@poundlock/core/dialect';
 *
 * const GATE = optionTable({ isOpen: option.flag, widths: option.list(option.amount) });
 * console.log(GATE.values.isOpen.must); // true or false
 */
export const option = {
  /** One word of a list. */
  oneOf<const W extends string>(...words: readonly W[]): OptionValue<W> {
    const known = new Set<unknown>(words);
    return { accepts: (value): value is W => known.has(value), must: listOf(words), words };
  },

  /** One number of a list. */
  oneNumberOf<const N extends number>(...numbers: readonly N[]): OptionValue<N> {
    const known = new Set<unknown>(numbers);
    return { accepts: (value): value is N => known.has(value), must: listOf(numbers.map(String)) };
  },

  /** `true` or `false`. */
  flag: typed('boolean', 'true or false') as OptionValue<boolean>,
  /** A text. */
  text: typed('string', 'a text') as OptionValue<string>,
  /** A number, whose range is checked where it is used. */
  amount: typed('number', 'a number') as OptionValue<number>,

  /** A value of any type, which is checked where it is used. */
  checkedLater<T>(): OptionValue<T> {
    return { accepts: (_value): _value is T => true, must: 'another value' };
  },

  /** A function. */
  callable<T>(): OptionValue<T> {
    return typed('function', 'a function') as OptionValue<T>;
  },

  /** An object that `isOne` recognizes. */
  object<T>(must: string, isOne: (value: object) => boolean): OptionValue<T> {
    const accepts = (value: unknown): value is T =>
      typeof value === 'object' && value !== null && isOne(value);
    return { accepts, must };
  },

  /** A list of such values. */
  list<T>({ accepts, must }: OptionValue<T>): OptionValue<readonly T[]> {
    return {
      accepts: (value): value is readonly T[] => Array.isArray(value) && value.every(accepts),
      must: `a list, and each of it ${must}`,
    };
  },

  /** An option that only other packages of this project set. */
  internal<T>(value: OptionValue<T>): OptionValue<T> {
    return { ...value, isInternal: true };
  },
};

function typed(type: string, must: string): OptionValue<unknown> {
  return { accepts: (value): value is unknown => typeof value === type, must };
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(words: readonly string[]): string {
  const head = words.slice(0, -1).join(', ');
  return head === '' ? words.join('') : `${head} or ${words.at(-1)}`;
}

/** A value in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${displayText(value)}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
