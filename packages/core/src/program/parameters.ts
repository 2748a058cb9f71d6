// Parameters of a kernel: typed by their defaults, which may be computed from earlier ones.
import { InputError, nearest } from '../base/index.ts';
import { isPlainNumber } from './whole.ts';
import type { Parameters, ParameterValue } from '../finding/index.ts';
import { IntegerParameter } from './integer-parameter.ts';
import { computeDefault } from './outside.ts';
import { symbolicOf, type SymbolicParameter } from './symbolic-parameter.ts';

/** The default of a parameter: a value, a range, or a function of the parameters before it. */
export type Default =
  | ParameterValue
  | IntegerParameter
  | ((earlier: Record<string, never>) => ParameterValue);
/** Defaults of parameters by name; each is a {@link Default}. */
export type Defaults = Readonly<Record<string, unknown>>;

/**
 * The parameters that a kernel's callback receives: derived defaults are replaced by their values.
 */
export type Resolved<D extends Defaults> = {
  readonly [K in keyof D]: D[K] extends (...earlier: never[]) => infer V ? Widen<V> : Widen<D[K]>;
};
/** The type of all values of a default's type. */
type Widen<V> = V extends number | IntegerParameter
  ? number
  : V extends boolean
    ? boolean
    : V extends string
      ? string
      : V;

const TRUE = new Set(['true', '1', 'yes', 'on', '']);
const FALSE = new Set(['false', '0', 'no', 'off']);

function convert(name: string, like: ParameterValue, raw: ParameterValue): ParameterValue {
  if (typeof like === 'string') return String(raw);
  if (typeof like === 'number') {
    const value = typeof raw === 'string' ? Number(raw.replaceAll('_', '')) : raw;
    const isText = typeof raw === 'string' && raw.trim() === '';
    if (typeof value === 'number' && isPlainNumber(value) && !isText) return value;
    const shown = Object.is(raw, -0) ? '-0' : raw;
    throw new InputError(`parameter ${name} must be a number, not "${shown}"`);
  }
  if (typeof raw === 'boolean') return raw;
  const text = String(raw).toLowerCase();
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new InputError(`parameter ${name} must be true or false, not "${raw}"`);
}

/** What a kernel has parameters by. */
interface Parameterized {
  readonly name: string;
  readonly defaults: Defaults;
}

/** Values for some parameters: typed, or text as on a command line. */
export type Overrides = Readonly<Record<string, ParameterValue>>;

/** Kernel parameters that differ from their defaults. */
export type KernelParameters = Overrides | ResolvedParameters;

/** Every parameter of a kernel with its type, and which of them were set. */
export class ResolvedParameters {
  /** Every parameter, in the order of its declaration. */
  readonly values: Parameters;
  /** Those that were set; the others follow from the defaults. */
  readonly set: Parameters;
  readonly #kernel: Parameterized;

  constructor(kernel: Parameterized, overrides: Overrides) {
    this.#kernel = kernel;
    this.values = valuesOf(kernel, overrides);
    const names = Object.keys(overrides).filter((name) => overrides[name] !== undefined);
    this.set = Object.fromEntries(names.map((name) => [name, this.values[name]!]));
  }

  /**
   * The parameters that a kernel is called with where `symbolic` stands for one of them; so do the
   * defaults that are equal to it.
   *
   * @throws InputError where a default uses it as a plain number.
   */
  withSymbolic(symbolic: SymbolicParameter): Parameters {
    return valuesOf(this.#kernel, this.set, symbolic);
  }

  /** Whether these are the parameters of a kernel, or of one that differs in its roles at most. */
  isOf({ defaults }: Parameterized): boolean {
    return this.#kernel.defaults === defaults;
  }

  /** The same with some parameters changed; defaults that depend on them follow. */
  change(changes: Overrides): ResolvedParameters {
    if (Object.keys(changes).length === 0) return this;
    return new ResolvedParameters(this.#kernel, { ...this.set, ...changes });
  }

  /** The fewest that have to be set to get these values: what a replay command names. */
  needed(): Parameters {
    const wanted = JSON.stringify(this.values);
    const needed: Record<string, ParameterValue> = { ...this.set };
    for (const [name, value] of Object.entries(this.set)) {
      delete needed[name];
      if (JSON.stringify(valuesOf(this.#kernel, needed)) !== wanted) needed[name] = value;
    }
    const names = Object.keys(this.values).filter((name) => name in needed);
    return Object.fromEntries(names.map((name) => [name, needed[name]!]));
  }
}

/**
 * Computes every parameter of a kernel. Text is converted to the type of the default. What is
 * resolved already is returned.
 *
 * @throws InputError for an unknown name or a value of another type.
 * @example
 * const ring = kernel('ring', { stages: 2, tiles: (p) => p.stages * 2 }, build);
 * resolveParameters(ring, { stages: '3' }).values; // { stages: 3, tiles: 6 }
 */
export function resolveParameters(
  kernel: Parameterized,
  params: KernelParameters = {},
): ResolvedParameters {
  if (!(params instanceof ResolvedParameters)) return new ResolvedParameters(kernel, params);
  return params.isOf(kernel) ? params : new ResolvedParameters(kernel, params.set);
}

/** Throws an InputError that says which name was probably meant, unless a kernel has `name`. */
export function requireParameter(kernel: Parameterized, name: string): void {
  const names = Object.keys(kernel.defaults);
  if (names.includes(name)) return;
  const guess = nearest(name, names);
  const list = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  const help = guess === undefined ? list : `did you mean ${guess}? (${list})`;
  throw new InputError(`kernel ${kernel.name} has no parameter ${name}: ${help}`);
}

function valuesOf(
  kernel: Parameterized,
  overrides: Overrides,
  symbolic: SymbolicParameter | null = null,
): Parameters {
  for (const name of Object.keys(overrides)) requireParameter(kernel, name);
  const resolved: Record<string, ParameterValue> = {};
  for (const [name, declared] of Object.entries(kernel.defaults)) {
    const override = overrides[name];
    if (name === symbolic?.name) resolved[name] = symbolic.standIn as never;
    else resolved[name] = valueOf(kernel, name, declared, { override, resolved });
  }
  return resolved;
}

function valueOf(
  kernel: Parameterized,
  name: string,
  declared: unknown,
  { override, resolved }: { override: ParameterValue | undefined; resolved: Parameters },
): ParameterValue {
  if (declared instanceof IntegerParameter) {
    const value = override === undefined ? declared.value : convert(name, 0, override);
    if (declared.accepts(value as number)) return value;
    throw new InputError(`parameter ${name} must be ${declared.text}, not ${value}`);
  }
  const value: unknown =
    typeof declared === 'function'
      ? computeDefault(() => declared({ ...resolved }) as unknown)
      : declared;
  if (symbolicOf(value) !== undefined) return override ?? (value as never);
  if (typeof value !== 'number' && typeof value !== 'boolean' && typeof value !== 'string') {
    throw new InputError(
      `the default of ${name} in kernel ${kernel.name} must be a number, a boolean or a string`,
    );
  }
  if (typeof value === 'number' && !isPlainNumber(value)) {
    const shown = Object.is(value, -0) ? '-0' : value;
    throw new InputError(
      `the default of ${name} in kernel ${kernel.name} must be a finite number, not ${shown}`,
    );
  }
  return override === undefined ? value : convert(name, value, override);
}
