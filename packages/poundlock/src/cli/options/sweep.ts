// --sweep and --over name=a..b: several values of a parameter; several of them are combined.
import { InputError } from '@poundlock/core/internal/base';
import { grouped } from '../../report/index.ts';
import { assignment } from './assignment.ts';

/** The most values that one sweep stands for. */
export const MAX_SWEEP_VALUES = 10_000;
const SHAPE = 'name=a..b, name=a..b..step or name=x,y,z';

/** The option that is read, for messages. */
type Option = '--sweep' | '--over';
const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const RANGE = new RegExp(String.raw`^${NUMBER}\.\.${NUMBER}(?:\.\.${NUMBER})?$`);
/** Enough digits for any value, but few enough that 0.1 + 0.2 is 0.3. */
const DIGITS = 12;

export interface Sweep {
  readonly name: string;
  readonly values: readonly string[];
}

function rangeValues(text: string, match: RegExpExecArray, option: Option): string[] {
  const [first, last, step] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)];
  const help = step <= 0 ? 'the step must be above 0' : `${first} is above ${last}`;
  if (step <= 0 || first > last) throw new InputError(`${option} ${text} has no values: ${help}`);
  const number = Math.floor((last - first) / step + 1e-9) + 1;
  if (number > MAX_SWEEP_VALUES) {
    const most = grouped(MAX_SWEEP_VALUES);
    throw new InputError(`${option} ${text} has ${grouped(number)} values, the maximum is ${most}`);
  }
  return Array.from({ length: number }, (_, index) =>
    String(Number((first + index * step).toPrecision(DIGITS))),
  );
}

/** Reads one --sweep option. */
export function readSweep(text: string, option: Option = '--sweep'): Sweep {
  const [name, list] = assignment(option, text, SHAPE);
  const range = RANGE.exec(list);
  if (range !== null) return { name, values: rangeValues(text, range, option) };
  const values = list.split(',').map((value) => value.trim());
  if (list.includes('..') || values.includes('')) {
    throw new InputError(`${option} ${text}: write it as ${SHAPE}`);
  }
  return { name, values: [...new Set(values)] };
}

/** Reads all --sweep options; a name may be swept once. */
export function readSweeps(texts: readonly string[], option: Option = '--sweep'): Sweep[] {
  const sweeps = texts.map((text) => readSweep(text, option));
  for (const [index, { name }] of sweeps.entries()) {
    if (sweeps.findIndex((other) => other.name === name) === index) continue;
    throw new InputError(`${option} gives ${name} twice`);
  }
  return sweeps;
}
