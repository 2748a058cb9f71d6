// The address of a state: parameters, the schedule and the position in it, in the fragment.
import type { Values } from '../src/explore/state.ts';

/** What the address has. */
export interface Address {
  /** The parameters that differ from their defaults. */
  readonly params: Values;
  /** The schedule as a replay token. */
  readonly path: string;
  /** The number of its steps that are made; absent for all of them. */
  readonly at?: number;
}

/** Reads a fragment; what is no address is the start of the kernel. */
export function readAddress(fragment: string): Address {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  const at = words.get('at');
  const isNumber = at !== null && /^\d{1,9}$/.test(at);
  const position = isNumber ? { at: Number(at) } : {};
  return { params: readParams(words.get('params')), path: words.get('path') ?? '', ...position };
}

function readParams(text: string | null): Values {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    const isValue = (one: unknown): boolean => ['number', 'boolean', 'string'].includes(typeof one);
    return Object.fromEntries(Object.entries(value).filter(([, one]) => isValue(one))) as Values;
  } catch {
    return {};
  }
}

/** Writes a fragment that reads back as this address; what else is in `before` is preserved. */
export function writeAddress({ params, path, at }: Address, before = ''): string {
  const words = new URLSearchParams(before.replace(/^#/, ''));
  for (const name of ['params', 'path', 'at']) words.delete(name);
  if (Object.keys(params).length > 0) words.set('params', JSON.stringify(params));
  if (path !== '') words.set('path', path);
  if (at !== undefined) words.set('at', String(at));
  const text = words.toString();
  return text === '' ? '' : `#${text}`;
}
