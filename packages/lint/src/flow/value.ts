// Abstract values of expressions, as far as they matter for ownership; all others are `UNKNOWN`.
import type { ClassNode, FunctionNode } from '../syntax/node.ts';
import type { LeakCause } from './cause.ts';

export type Value =
  | { readonly k: 'unknown' }
  /** `undefined` or `null`. */
  | { readonly k: 'nil' }
  | { readonly k: 'const'; readonly value: string | number | boolean }
  /** The result of a condition: the fact of this key, or its negation. */
  | { readonly k: 'cond'; readonly key: string; readonly not: boolean }
  /** A handle: an instance of the state, or one of the many that it stands for. */
  | { readonly k: 'ref'; readonly id: string; readonly isPart?: true }
  /** A value derived from a handle, which lives as long as the handle. */
  | { readonly k: 'view'; readonly id: string; readonly isMemory: boolean }
  /** An object, array or collection whose contents the state knows. */
  | { readonly k: 'obj'; readonly id: string }
  | { readonly k: 'fn'; readonly fn: FunctionNode; readonly self: Value }
  | { readonly k: 'class'; readonly node: ClassNode }
  /** `h.release`, `h.release.bind(h)`: a method with its receiver. */
  | { readonly k: 'method'; readonly target: Value; readonly name: string }
  /** A function that does nothing to handles and does not throw. */
  | { readonly k: 'inert' }
  /** A function that releases these handles when it is called. */
  | {
      readonly k: 'releaser';
      readonly ids: readonly string[];
      /** The name of the closure that it stands for. */
      readonly name?: string;
      /** The closures after which a call of it does nothing. */
      readonly harmlessAfter?: ReadonlySet<string>;
    }
  | PromiseValue
  /** A generator that was created and not started, with its arguments. */
  | { readonly k: 'generator'; readonly fn: FunctionNode; readonly args: readonly Value[] };

export interface PromiseValue {
  readonly k: 'promise';
  /** The value that it is fulfilled with. */
  readonly value: Value;
  /** The uses of handles that last until it settles. */
  readonly uses: readonly string[];
  /** In this state it was rejected. */
  readonly rejected: LeakCause | undefined;
  /** The handle that a rejection closes. */
  readonly ends: string | undefined;
  /** It may still be rejected. */
  readonly mayReject: boolean;
}

export const UNKNOWN: Value = { k: 'unknown' };
export const NIL: Value = { k: 'nil' };

export function constant(value: string | number | boolean): Value {
  return { k: 'const', value };
}

export function promise(value: Value, more: Partial<PromiseValue> = {}): PromiseValue {
  return {
    k: 'promise',
    value,
    uses: [],
    rejected: undefined,
    ends: undefined,
    mayReject: true,
    ...more,
  };
}

/** The values directly inside a value. */
export function partsOf(value: Value): readonly Value[] {
  switch (value.k) {
    case 'promise':
      return [value.value];
    case 'method':
      return [value.target];
    case 'fn':
      return [value.self];
    case 'generator':
      return value.args;
    case 'releaser':
      return value.ids.map((id) => ({ k: 'ref', id }));
    default:
      return [];
  }
}

/** A value with each handle and object in it replaced. */
export function mapValue(value: Value, ids: (id: string) => string): Value {
  switch (value.k) {
    case 'ref':
    case 'view':
    case 'obj': {
      const id = ids(value.id);
      return id === value.id ? value : { ...value, id };
    }
    case 'releaser':
      return { ...value, ids: value.ids.map(ids) };
    case 'promise':
      return { ...value, value: mapValue(value.value, ids) };
    case 'method':
      return { ...value, target: mapValue(value.target, ids) };
    case 'fn':
      return value.self.k === 'unknown' ? value : { ...value, self: mapValue(value.self, ids) };
    case 'generator':
      return { ...value, args: value.args.map((each) => mapValue(each, ids)) };
    default:
      return value;
  }
}
