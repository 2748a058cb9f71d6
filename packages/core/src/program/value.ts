// Loop states by value: equal states have one key, and a round can not tell them from one another.
import { InputError, positionInStack } from '../base/index.ts';
import type { Side } from '../op/index.ts';
import type { Declarations } from './declarations.ts';
import { StageHandle } from './handle.ts';
import type { LoopDetail } from './loop.ts';

/** A handle inside a value: by number in order of appearance. A released one travels as dead. */
export interface TravellingHandle {
  readonly ring: number;
  readonly side: Side;
  readonly stage: number;
  readonly live: boolean;
}

export interface EncodedValue {
  /** Equal for equal values. */
  readonly key: string;
  readonly handles: readonly TravellingHandle[];
  /** The ids that the handles had before, in order of appearance. */
  readonly ids: readonly number[];
  /** The value with each handle replaced by its number. */
  readonly data: unknown;
}

/** Whose state a value is: for the one line that refuses it. */
export interface StateOwner {
  readonly role: string;
  readonly loop: LoopDetail;
}

/** In the data of a value: a handle, by its number. */
class HandleMark {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** In the data of a value: an object of it once more, by its number in order of appearance. */
class SharedMark {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

const MAX_DEPTH = 20;

/** Copies a state part by part, and refuses what a copy or a comparison would not preserve. */
class StateReader {
  readonly #owner: StateOwner;
  readonly #ofHandle: (handle: StageHandle) => unknown;
  readonly #ofShared: (copy: object, number: number) => unknown;
  readonly #copies = new Map<object, { readonly copy: object; readonly number: number }>();
  #hasHandles = false;

  /** @param ofShared What is in the copy where an object of the state comes once more. */
  constructor(
    owner: StateOwner,
    ofHandle: (handle: StageHandle) => unknown,
    ofShared: (copy: object, number: number) => unknown,
  ) {
    this.#owner = owner;
    this.#ofHandle = ofHandle;
    this.#ofShared = ofShared;
  }

  /** The objects that were read, in order of appearance. */
  get objects(): Iterable<object> {
    return this.#copies.keys();
  }

  read(value: unknown): unknown {
    const copy = this.#copy(value, '', 0);
    if (this.#copies.size > 0 && !this.#hasHandles && isProxy(value))
      this.refuse('', 'a Proxy, or holds one');
    // Who still holds a part of it can not change it any more.
    for (const part of this.#copies.keys()) Object.freeze(part);
    return copy;
  }

  #copy(part: unknown, path: string, depth: number): unknown {
    if (depth > MAX_DEPTH) return this.refuse(path, `nested more than ${MAX_DEPTH} deep`);
    switch (typeof part) {
      case 'boolean':
      case 'string':
        return part;
      case 'number':
        if (Object.is(part, -0)) return this.refuse(path, '-0');
        return Number.isFinite(part) ? part : this.refuse(path, `the number ${part}`);
      case 'undefined':
        return this.refuse(path, 'undefined');
      case 'object':
        return part === null ? null : this.#copyObject(part, path, depth);
      case 'bigint':
      case 'function':
      case 'symbol':
        return this.refuse(path, `a ${typeof part}`);
    }
  }

  #copyObject(part: object, path: string, depth: number): unknown {
    if (part instanceof StageHandle) {
      this.#hasHandles = true;
      if (part.linear) return this.#ofHandle(part);
      return this.refuse(path, 'a scoped handle, which ends with its block');
    }
    const known = this.#copies.get(part);
    if (known !== undefined) return this.#ofShared(known.copy, known.number);
    if (Array.isArray(part)) return this.#copyArray(part, path, depth);
    const prototype: unknown = Object.getPrototypeOf(part);
    if (prototype !== Object.prototype) {
      const name = prototype === null ? 'no class' : `class ${part.constructor.name}`;
      return this.refuse(path, `an object of ${name}`);
    }
    const copy: Record<string, unknown> = {};
    this.#note(part, copy);
    for (const key of Reflect.ownKeys(part)) {
      const own = `${path}${nameOf(key)}`;
      if (typeof key === 'symbol') return this.refuse(own, 'a property with a symbol for its key');
      const value = this.#valueOf(part, key, own);
      // Assigning it would change the prototype of the copy.
      if (key === '__proto__') return this.refuse(own, 'a property of this name');
      copy[key] = this.#copy(value, own, depth + 1);
    }
    return copy;
  }

  #copyArray(part: readonly unknown[], path: string, depth: number): unknown {
    if (Object.getPrototypeOf(part) !== Array.prototype)
      return this.refuse(path, 'an array of a class of its own');
    const extra = Reflect.ownKeys(part).find((key) => key !== 'length' && !isIndex(key, part));
    if (extra !== undefined)
      return this.refuse(`${path}${nameOf(extra)}`, 'a property of an array');
    const copy: unknown[] = [];
    this.#note(part, copy);
    for (let index = 0; index < part.length; index++) {
      const own = `${path}[${index}]`;
      copy.push(this.#copy(this.#valueOf(part, String(index), own), own, depth + 1));
    }
    return copy;
  }

  #note(part: object, copy: object): void {
    this.#copies.set(part, { copy, number: this.#copies.size });
  }

  #valueOf(part: object, key: string, path: string): unknown {
    const property = Object.getOwnPropertyDescriptor(part, key);
    if (property === undefined) return this.refuse(path, 'empty');
    if (!('value' in property)) return this.refuse(path, 'an accessor');
    return property.enumerable ? property.value : this.refuse(path, 'not enumerable');
  }

  refuse(path: string, found: string): never {
    const { role, loop } = this.#owner;
    throw new InputError(
      `the state of a loop in role ${role} can not be compared: ${parameterOf(loop)}${path} is ` +
        `${found} (it may hold plain data and linear handles)`,
      positionInStack(loop.calledAt.stack),
    );
  }
}

function isIndex(key: string | symbol, { length }: readonly unknown[]): boolean {
  return typeof key === 'string' && /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < length;
}

function nameOf(key: string | symbol): string {
  if (typeof key === 'symbol') return `[${String(key)}]`;
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)
    ? `.${key}`
    : `[${JSON.stringify(key)}]`;
}

/** What the body of a loop calls its state. */
function parameterOf({ body }: LoopDetail): string {
  return /^[^(]*\(\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(String(body))?.[1] ?? 'the state';
}

/** Whether plain data has a proxy in it: nothing else of what was read can not be cloned. */
function isProxy(value: unknown): boolean {
  try {
    structuredClone(value);
    return false;
  } catch {
    return true;
  }
}

/** Encodes a loop's state or result. `isLive` decides whether a handle is still owned. */
export function encodeValue(
  value: unknown,
  owner: StateOwner,
  isLive: (id: number) => boolean,
  returned: ReturnedObjects | null = null,
): EncodedValue {
  const handles: TravellingHandle[] = [];
  const ids: number[] = [];
  const ofHandle = (handle: StageHandle): HandleMark => {
    let number = ids.indexOf(handle.id);
    if (number < 0) {
      number = ids.push(handle.id) - 1;
      const { ring, side, index: stage } = handle;
      handles.push({ ring, side, stage, live: isLive(handle.id) });
    }
    return new HandleMark(number);
  };
  const reader = new StateReader(owner, ofHandle, (_, number) => new SharedMark(number));
  const data = reader.read(value);
  returned?.add(reader);
  return { key: keyOf(data) + JSON.stringify(handles), handles, ids, data };
}

/** A text for data and its marks: no plain data has that of a mark. */
function keyOf(data: unknown): string {
  if (data instanceof HandleMark) return `#${data.number}`;
  if (data instanceof SharedMark) return `&${data.number}`;
  if (Array.isArray(data)) return `[${data.map(keyOf).join()}]`;
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const fields = Object.entries(data).map(
    ([name, part]) => `${JSON.stringify(name)}:${keyOf(part)}`,
  );
  return `{${fields.join()}}`;
}

/** A copy of a state for a round that runs in place: handles stay what they are. */
export function copyValue(
  value: unknown,
  owner: StateOwner,
  returned: ReturnedObjects | null = null,
): unknown {
  if (typeof value === 'boolean' || typeof value === 'string' || value === null) return value;
  if (value instanceof StageHandle && value.linear) return value;
  const reader = new StateReader(
    owner,
    (handle) => handle,
    (shared) => shared,
  );
  const copy = reader.read(value);
  returned?.add(reader);
  return copy;
}

/**
 * The objects of states that rounds have returned. A round that returns one again passes on more
 * than a value: the program holds the object, and can recognize it.
 */
export class ReturnedObjects {
  readonly #known = new WeakSet<object>();

  /** Adds what a loop starts with: it may start so again. */
  note(state: unknown): void {
    if (typeof state === 'object' && state !== null) this.#known.add(state);
  }

  add(reader: StateReader): void {
    for (const part of reader.objects) {
      if (this.#known.has(part))
        reader.refuse('', 'an object of a state before, or holds one: return a copy');
      this.#known.add(part);
    }
  }
}

/** Makes the value again: its handles belong to `declarations`, numbered from `firstId`. */
export function decodeValue(
  encoded: EncodedValue,
  declarations: Declarations,
  firstId: number,
): { value: unknown; handles: readonly StageHandle[] } {
  const handles = encoded.handles.map(({ ring, side, stage }, number) =>
    declarations.rings[ring]!.revive(side, stage, firstId + number),
  );
  const objects: object[] = [];
  const walk = (part: unknown): unknown => {
    if (part instanceof HandleMark) return handles[part.number];
    if (part instanceof SharedMark) return objects[part.number];
    if (typeof part !== 'object' || part === null) return part;
    const copy: object = Array.isArray(part) ? [] : {};
    objects.push(copy);
    for (const [name, own] of Object.entries(part)) Reflect.set(copy, name, walk(own));
    return copy;
  };
  return { value: walk(encoded.data), handles };
}
