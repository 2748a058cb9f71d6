// Tables of options: which ones a function takes, and what each may be; types follow from them.
import { displayText } from './display.ts';
import { InputError } from './input-error.ts';
import { nearest } from './nearest.ts';
import { listOf, shown, type OptionValue } from './option-values.ts';
import { currentPosition } from './position.ts';

type Values = Readonly<Record<string, OptionValue<unknown>>>;
type TypeOf<V> = V extends OptionValue<infer T> ? T : never;
type Optional<V> = { readonly [Name in keyof V]?: TypeOf<V[Name]> };
type Needed<V> = { readonly [Name in keyof V]: TypeOf<V[Name]> };

/** The options of a function: see {@link optionTable}. */
export interface OptionTable<V = Values> {
  /** What each option may be, in the order of messages. */
  readonly values: V;
  /** @internal */
  readonly byName: ReadonlyMap<string, OptionValue<unknown>>;
}

/** The type of the options of a table, of which `Name` have to be there. */
export type OptionsOf<
  T extends { readonly values: unknown },
  Name extends keyof T['values'] = never,
> = Optional<Omit<T['values'], Name>> & Needed<Pick<T['values'], Name>>;

/**
 * Declares the options of a function, each with what it may be. The type of the options is
 * `OptionsOf<typeof TABLE>`, so that a new option is one line.
 *
 * @example
 * import { option, optionTable, requireOptions, type OptionsOf } from '@poundlock/core/dialect';
 *
 * const GATE = optionTable({ opens: option.oneOf('in', 'out'), name: option.text });
 * interface GateOptions extends OptionsOf<typeof GATE, 'name'> {}
 *
 * function gate(options: GateOptions): string {
 *   requireOptions('gate()', GATE, options);
 *   return `${options.name} opens ${options.opens ?? 'in'}`;
 * }
 * console.log(gate({ name: 'front' })); // front opens in
 */
export function optionTable<const V extends Values>(values: V): OptionTable<V> {
  return { values, byName: new Map(Object.entries(values)) };
}

/**
 * Throws unless `options` has options of a table alone, with values that these may have. It is
 * called with the options of each operation, so that it has to be fast. `owner` is the function,
 * or the class, in messages: `arrive()`.
 *
 * @throws InputError with the word that is not known, the one that was probably meant, and the
 * list.
 *
 * @example
 * import { option, optionTable, requireOptions } from '@poundlock/core/dialect';
 *
 * const GATE = optionTable({ width: option.amount });
 * try {
 *   requireOptions('gate()', GATE, { widht: 2 });
 * } catch (error) {
 *   const { message } = error as Error;
 *   console.log(message.slice(0, 28)); // gate() has no option 'widht'
 * }
 */
export function requireOptions(owner: string, { byName }: OptionTable, options: object): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw refusal(`the options of ${owner} must be an object, not ${shown(options)}`);
  }
  // Not `Object.entries`: this allocates nothing. A function reads inherited options, too.
  // oxlint-disable-next-line guard-for-in
  for (const name in options) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    const known = byName.get(name);
    if (known === undefined) throw unknownOption(owner, name, byName);
    if (value !== undefined && !known.accepts(value)) throw wrongValue(owner, name, value, known);
  }
}

/**
 * The error about an option of `owner` that has no effect, with the reason: `beside 'ctas'`.
 *
 * @example
 * import { uselessOption } from '@poundlock/core/dialect';
 *
 * const { message } = uselessOption('gate()', 'cta', "beside 'ctas'");
 * console.log(message); // the option 'cta' of gate() has no effect beside 'ctas'
 */
export function uselessOption(owner: string, name: string, why: string): InputError {
  return refusal(`the option '${name}' of ${owner} has no effect ${why}`);
}

/** The error about an argument that a function does not take: options where it has none. */
export function surplus(call: string, argument: unknown): InputError {
  const isObject = typeof argument === 'object' && argument !== null;
  const [name] = isObject ? Object.keys(argument) : [];
  const word = name === undefined ? shown(argument) : `'${displayText(name)}'`;
  return refusal(`${call} takes no further options, and gets ${word}`);
}

/**
 * Throws unless `word` is one of a closed list.
 *
 * @throws InputError that calls it `what`, with the word, the one that was probably meant, and the
 * list.
 *
 * @example
 * import { requireWord } from '@poundlock/core/dialect';
 *
 * requireWord('the side of gate()', 'in', ['in', 'out']);
 */
export function requireWord<W extends string>(
  what: string,
  word: unknown,
  words: readonly W[],
): asserts word is W {
  if ((words as readonly unknown[]).includes(word)) return;
  throw refusal(`${what} must be ${listOf(words)}, not ${shown(word)}${hint(word, words)}`);
}

function refusal(message: string): InputError {
  return new InputError(message, currentPosition());
}

function unknownOption(owner: string, name: string, byName: OptionTable['byName']): InputError {
  const names = [...byName].flatMap(([known, { isInternal }]) => (isInternal ? [] : [known]));
  return refusal(`${owner} has no option '${displayText(name)}'${hint(name, names)} ${has(names)}`);
}

function wrongValue(
  owner: string,
  name: string,
  value: unknown,
  { must, words = [], keys }: OptionValue<unknown>,
): InputError {
  const what = `the ${name} of ${owner}`;
  if (keys !== undefined && typeof value === 'object' && value !== null) {
    const unknown = Object.keys(value).find((key) => !keys.includes(key));
    if (unknown !== undefined) {
      const word = displayText(unknown);
      return refusal(`${what} has no '${word}'${hint(unknown, keys)} ${has(keys)}`);
    }
  }
  return refusal(`${what} must be ${must}, not ${shown(value)}${hint(value, words)}`);
}

function hint(word: unknown, words: readonly string[]): string {
  const meant = typeof word === 'string' ? nearest(word, words) : undefined;
  return meant === undefined ? '' : `: did you mean '${meant}'?`;
}

function has(names: readonly string[]): string {
  return names.length === 0 ? '(it has none)' : `(it has ${names.join(', ')})`;
}
