// Parameters of a kernel: typed by their defaults, which may be computed from earlier ones.
import { InputError } from '../base/index.ts';
import type { Parameters, ParameterValue } from '../finding/index.ts';

/** The default of a parameter: a value, or a function of the parameters before it. */
export type Default = ParameterValue | ((earlier: Record<string, never>) => ParameterValue);
/** Defaults of parameters by name; each is a {@link Default}. */
export type Defaults = Readonly<Record<string, unknown>>;

/**
 * The parameters that a kernel's callback receives: derived defaults are replaced by their values.
 */
export type Resolved<D extends Defaults> = {
  readonly [K in keyof D]: D[K] extends (...earlier: never[]) => infer V ? Widen<V> : Widen<D[K]>;
};
/** The type of all values of a default's type. */
type Widen<V> = V extends number
  ? number
  : V extends boolean
    ? boolean
    : V extends string
      ? string
      : V;

const TRUE = new Set(['true', '1', 'yes', 'on', '']);
const FALSE = new Set(['false', '0', 'no', 'off']);

function convert(name: string, like: ParameterValue, given: ParameterValue): ParameterValue {
  if (typeof like === 'string') return String(given);
  if (typeof like === 'number') {
    const value = typeof given === 'string' ? Number(given.replaceAll('_', '')) : given;
    const isText = typeof given === 'string' && given.trim() === '';
    if (typeof value === 'number' && Number.isFinite(value) && !isText) return value;
    throw new InputError(`parameter ${name} must be a number, not "${given}"`);
  }
  if (typeof given === 'boolean') return given;
  const text = String(given).toLowerCase();
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new InputError(`parameter ${name} must be true or false, not "${given}"`);
}

function nearest(name: string, names: readonly string[]): string {
  const close = names.find((other) => other.toLowerCase() === name.toLowerCase());
  const starts = names.find((other) => other.startsWith(name) || name.startsWith(other));
  const guess = close ?? starts;
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

/**
 * Computes every parameter of a kernel. `overrides` are typed values, or text as the command line
 * has it, which is converted to the type of the default.
 *
 * @throws InputError for an unknown name or a value of another type.
 * @example
 * resolveDefaults('ring', { stages: 2, tiles: (p) => p.stages * 2 }, { stages: '3' });
 * // { stages: 3, tiles: 6 }
 */
export function resolveDefaults(
  kernel: string,
  defaults: Defaults,
  overrides: Readonly<Record<string, ParameterValue>>,
): Parameters {
  const names = Object.keys(defaults);
  for (const name of Object.keys(overrides)) {
    if (names.includes(name)) continue;
    const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
    throw new InputError(
      `kernel ${kernel} has no parameter ${name}: ${known}${nearest(name, names)}`,
    );
  }
  const resolved: Record<string, ParameterValue> = {};
  for (const [name, given] of Object.entries(defaults)) {
    const value: unknown = typeof given === 'function' ? given({ ...resolved }) : given;
    if (typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'string') {
      throw new InputError(
        `the default of ${name} in kernel ${kernel} must be a number, a boolean or a string`,
      );
    }
    const override = overrides[name];
    resolved[name] = override === undefined ? value : convert(name, value, override);
  }
  return resolved;
}
