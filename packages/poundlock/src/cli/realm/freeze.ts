// Freezes the built-in objects of JavaScript, which all program texts and the checker share.
import { runInNewContext } from 'node:vm';
import { LATE_GLOBALS } from './admitted.ts';

type Members = Record<string, unknown>;

/** The part of `Iterator` that is used here. */
interface Iterators {
  from(from: object): { map(by: unknown): object };
}

/** Owned by Node's own code, which writes to it. */
const OF_NODE = 'console';
/** The checker and Node write to them. */
const WRITTEN = new Set<PropertyKey>(['stackTraceLimit', 'prepareStackTrace']);

/** The names of the globals that the language has, without those of Node. */
export function languageGlobals(): ReadonlySet<string> {
  const names = runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[];
  return new Set(names.filter((name) => name !== OF_NODE));
}

/** Freezes every object that the language has, and the names of the globals. */
export function freezeLanguage(names: ReadonlySet<string>): void {
  const globals = globalThis as unknown as Members;
  const named = [...names].map((name) => globals[name]);
  const frozen = new Set<object>([globalThis]);
  for (const root of [...named, ...unnamed()]) freezeAll(root, frozen);
  keepStacks();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (LATE_GLOBALS.has(name)) continue;
    const { configurable, value } = Object.getOwnPropertyDescriptor(globalThis, name)!;
    if (configurable !== true || value === undefined) continue;
    Object.defineProperty(globalThis, name, { writable: false, configurable: false });
  }
}

/** Objects of the language that no global leads to. */
function unnamed(): unknown[] {
  const functions = [function* () {}, async function* () {}, async () => {}];
  const iterators = [[].values(), new Map().keys(), new Set().keys(), ''[Symbol.iterator]()];
  const { Iterator } = globalThis as unknown as { readonly Iterator: Iterators };
  const wrapped = Iterator.from({ next: Boolean });
  const others = [''.matchAll(/a/g), wrapped, wrapped.map(Boolean)];
  const samples: object[] = [...functions, ...iterators, ...others];
  return samples.map((sample) => Object.getPrototypeOf(sample) as unknown);
}

function freezeAll(root: unknown, frozen: Set<object>): void {
  const open = [root];
  for (const value of open) {
    if (!isObject(value) || frozen.has(value)) continue;
    frozen.add(value);
    // A method leads to nothing else, unless a global is named after it.
    if (value !== root && typeof value === 'function' && !Object.hasOwn(value, 'prototype')) {
      Object.freeze(value);
      continue;
    }
    open.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)!;
      open.push(property.value, property.get, property.set);
      if (isInherited(value)) keepOverridable(value, key, property);
      else if (value === Error) lock(value, key, property);
    }
    if (value !== Error) Object.freeze(value);
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether objects of programs inherit from it that commonly assign to what they inherit. */
function isInherited(value: object): boolean {
  if (value === Object.prototype || value === Function.prototype) return true;
  return value === Error.prototype || Error.prototype.isPrototypeOf(value);
}

/**
 * An assignment to what is inherited makes an own property, as before: of a frozen prototype it
 * would fail.
 */
function keepOverridable(owner: object, key: PropertyKey, property: PropertyDescriptor): void {
  const { value, writable, enumerable = false, configurable } = property;
  if (writable !== true || configurable !== true) return;
  Object.defineProperty(owner, key, {
    enumerable,
    get: () => value as unknown,
    set(this: object, own: unknown) {
      if (this === owner) throw new TypeError(`Cannot assign to built-in property ${String(key)}`);
      const property = { value: own, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(this, key, property);
    },
  });
}

/** A property of an object that can not be frozen as a whole. */
function lock(
  owner: object,
  key: PropertyKey,
  { configurable, writable }: PropertyDescriptor,
): void {
  if (configurable !== true || WRITTEN.has(key)) return;
  const fixed = writable === undefined ? {} : { writable: false };
  Object.defineProperty(owner, key, { ...fixed, configurable: false });
}

/** Positions are read from stacks: a program text does not choose how they are written. */
function keepStacks(): void {
  const written = (Error as unknown as Members)['prepareStackTrace'];
  Object.defineProperty(Error, 'prepareStackTrace', {
    get: () => written,
    set() {},
    configurable: false,
  });
}
