// Refuses what asks the world outside, such as Math.random(), while a role or a kernel runs.
import process from 'node:process';
import { isProgramRunning, refuseOutside } from '@poundlock/core/internal/program';
import { LATE_GLOBALS, PURE_GLOBALS, PURE_OF_PROCESS } from './admitted.ts';

type Call = (...args: readonly unknown[]) => unknown;
/** Whether a call with such arguments depends on more than them. */
type IsImpure = (args: readonly unknown[], isNew: boolean) => boolean;

const always: IsImpure = () => true;
const withoutTime: IsImpure = ([time]) => time === undefined;
const currentDate: IsImpure = (args, isNew) => !isNew || args.length === 0;

/** A place in a stack: the file of a frame. */
const PLACE = /(?:\(|at )((?:file:|node:|\/|[A-Za-z]:[\\/]).*?):\d+:\d+\)?$/m;

/** Members that are no calls; what starts with `_` is called by Node's own code. */
const NOT_CALLED: ReadonlySet<string> = new Set(['constructor', 'prototype']);

/** Whether Node itself makes the call that `below` serves, such as for a line that is printed. */
function isOfNode(below: object): boolean {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below as Call);
  return PLACE.exec(holder.stack ?? '')?.[1]?.startsWith('node:') === true;
}

const gates = new WeakMap<object, object>();
/** Objects whose members are gated. */
const seen = new WeakSet<object>();

/** The same function, which is refused while a role or a kernel function runs. */
function gated<F extends object>(call: F, name: string, isImpure = always): F {
  const known = gates.get(call);
  if (known !== undefined) return known as F;
  const apply = (target: Call, self: unknown, args: unknown[]): unknown => {
    if (isProgramRunning() && isImpure(args, false) && !isOfNode(apply)) refuseOutside(`${name}()`);
    return Reflect.apply(target, self, args);
  };
  const construct = (target: Call, args: unknown[], newTarget: Call): object => {
    const isRefused = isProgramRunning() && isImpure(args, true) && !isOfNode(construct);
    if (isRefused) refuseOutside(`new ${name}()`);
    return Reflect.construct(target, args, newTarget === gate ? target : newTarget) as object;
  };
  const gate = new Proxy(call as unknown as Call, { apply, construct });
  gates.set(call, gate).set(gate, gate);
  return gate as unknown as F;
}

/** Gates one function of an object. */
function gateCall(owner: object, key: string, name: string, isImpure = always): void {
  const property = Object.getOwnPropertyDescriptor(owner, key);
  if (typeof property?.value !== 'function') return;
  gateMembers(property.value as object, name);
  const value = gated(property.value as object, name, isImpure);
  Object.defineProperty(owner, key, { ...property, value });
}

/** Gates what an object has: calls, and the properties that are computed when they are read. */
function gateMembers(owner: object, name: string, skipped?: ReadonlySet<string>): void {
  if (seen.has(owner)) return;
  seen.add(owner);
  for (const key of Object.getOwnPropertyNames(owner)) {
    if (skipped?.has(key) === true || NOT_CALLED.has(key) || key.startsWith('_')) continue;
    const property = Object.getOwnPropertyDescriptor(owner, key)!;
    if (property.configurable !== true) continue;
    if (typeof property.value === 'function') gateCall(owner, key, `${name}.${key}`);
    else if (property.get !== undefined) gateRead(owner, key, `${name}.${key}`, property);
  }
}

/** Gates a property that is computed when it is read, and what it gives. */
function gateRead(owner: object, key: string, name: string, property: PropertyDescriptor): void {
  const read = property.get!;
  function get(this: object): unknown {
    if (isProgramRunning() && !isOfNode(get)) refuseOutside(name);
    const value: unknown = Reflect.apply(read, this, []);
    if (typeof value === 'function') return gated(value, name);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      gateMembers(value, name);
    return value;
  }
  Object.defineProperty(owner, key, { ...property, get });
}

/** What the language itself asks: all else that it has is a function of its arguments. */
function gateLanguage(): void {
  gateCall(Math, 'random', 'Math.random');
  gateCall(Date, 'now', 'Date.now');
  const date = gated(Date, 'Date', currentDate);
  Object.defineProperty(globalThis, 'Date', { value: date });
  const { prototype } = Date;
  Object.defineProperty(prototype, 'constructor', { value: date });
  gateCall(WeakRef.prototype, 'deref', 'WeakRef.prototype.deref');
  gateCall(Intl.DateTimeFormat.prototype, 'formatToParts', 'formatToParts', withoutTime);
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')!;
  const get = function (this: object): unknown {
    return gated(Reflect.apply(format.get!, this, []) as Call, 'format', withoutTime);
  };
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', { ...format, get });
  const { Temporal } = globalThis as { readonly Temporal?: { readonly Now: object } };
  if (Temporal !== undefined) gateMembers(Temporal.Now, 'Temporal.Now');
}

/** A property of `process` that differs from run to run, and what is read from the environment. */
function gateProcess(): void {
  gateMembers(process, 'process', PURE_OF_PROCESS);
  for (const key of Object.getOwnPropertyNames(process)) {
    const property = Object.getOwnPropertyDescriptor(process, key)!;
    const isState = key.startsWith('_') || key === 'domain' || PURE_OF_PROCESS.has(key);
    if (isState || property.configurable !== true || property.get !== undefined) continue;
    if (typeof property.value === 'function') continue;
    let value: unknown = property.value;
    if (key === 'env') value = gatedFields(value as object, 'process.env');
    const { enumerable = false } = property;
    const get = (): unknown => value;
    const set = (other: unknown): void => void (value = other);
    Object.defineProperty(process, key, { configurable: true, enumerable, get, set });
    gateRead(process, key, `process.${key}`, Object.getOwnPropertyDescriptor(process, key)!);
  }
}

/** An object whose fields are not read while a role or a kernel function runs. */
function gatedFields(fields: object, name: string): object {
  const look = (below: object): void => {
    if (isProgramRunning() && !isOfNode(below)) refuseOutside(name);
  };
  const handler: ProxyHandler<object> = {
    get(target, key) {
      look(handler.get!);
      return Reflect.get(target, key) as unknown;
    },
    has(target, key) {
      look(handler.has!);
      return Reflect.has(target, key);
    },
    ownKeys(target) {
      look(handler.ownKeys!);
      return Reflect.ownKeys(target);
    },
    getOwnPropertyDescriptor(target, key) {
      look(handler.getOwnPropertyDescriptor!);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  };
  const proxy = new Proxy(fields, handler);
  seen.add(proxy);
  return proxy;
}

/** Gates a global of Node; one that is loaded when it is first read stays so. */
function gateGlobal(name: string): void {
  const property = Object.getOwnPropertyDescriptor(globalThis, name)!;
  if (property.configurable !== true) return;
  if (property.get === undefined) return gateCall(globalThis, name, name);
  const read = property.get;
  const get = function (): unknown {
    const found: unknown = Reflect.apply(read, globalThis, []);
    const value = typeof found === 'function' ? gated(found, name) : found;
    gateInstance(found, name);
    // Node has put what it loaded in the place of this getter.
    Object.defineProperty(globalThis, name, { ...property, get: () => value });
    return value;
  };
  Object.defineProperty(globalThis, name, { ...property, get });
}

/** Gates the only object of a class, such as `performance`. */
function gateInstance(instance: unknown, name: string): void {
  if (typeof instance !== 'object' || instance === null) return;
  gateMembers(instance, name);
  const shared = Object.getPrototypeOf(instance) as object;
  if (shared !== Object.prototype) gateMembers(shared, name);
}

/** Gates the module of Node `name`, whose exports these are. */
export function gateModule(exports: object, name: string): void {
  gateMembers(exports, name);
  // The module has the object that is also a global, and that is gated when it is read.
  if (name === 'crypto') Reflect.get(globalThis, name);
}

/** From now on, roles and kernel functions can not ask the world outside. */
export function gateOutside(language: ReadonlySet<string>): void {
  gateLanguage();
  gateProcess();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const isFree = language.has(name) || PURE_GLOBALS.has(name) || LATE_GLOBALS.has(name);
    if (!isFree) gateGlobal(name);
  }
  gateCall(Buffer, 'allocUnsafe', 'Buffer.allocUnsafe');
  gateCall(Buffer, 'allocUnsafeSlow', 'Buffer.allocUnsafeSlow');
}
