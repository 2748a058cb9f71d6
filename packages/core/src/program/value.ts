// Loop states by value: equal states have one key, and their handles can be restored.
import { InputError, type Position } from '../base/index.ts';
import type { Side } from '../op/index.ts';
import type { Declarations } from './declarations.ts';
import { StageHandle } from './handle.ts';

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

class HandleMark {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
  toJSON(): unknown {
    return { $handle: this.number };
  }
}

const MAX_DEPTH = 20;

/** Encodes a loop's state or result. `isLive` decides whether a handle is still owned. */
export function encodeValue(
  value: unknown,
  what: string,
  isLive: (id: number) => boolean,
  position?: Position,
): EncodedValue {
  const handles: TravellingHandle[] = [];
  const ids: number[] = [];
  const fail = (found: string): never => {
    throw new InputError(
      `${what} holds ${found}; it may hold plain data and linear handles`,
      position,
    );
  };
  const walk = (part: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) return fail(`data nested more than ${MAX_DEPTH} deep`);
    if (part instanceof StageHandle) {
      if (!part.linear) return fail('a scoped handle, which ends with its block');
      let number = ids.indexOf(part.id);
      if (number < 0) {
        number = ids.push(part.id) - 1;
        const { ring, side, index: stage } = part;
        handles.push({ ring, side, stage, live: isLive(part.id) });
      }
      return new HandleMark(number);
    }
    if (part === null || typeof part === 'boolean' || typeof part === 'string') return part;
    if (typeof part === 'number') return Number.isFinite(part) ? part : fail(`the number ${part}`);
    if (Array.isArray(part)) return part.map((one) => walk(one, depth + 1));
    if (typeof part === 'object') {
      const prototype: unknown = Object.getPrototypeOf(part);
      if (prototype !== Object.prototype && prototype !== null) {
        return fail(`an object of class ${part.constructor.name}`);
      }
      const held = part as Record<string, unknown>;
      const names = Object.keys(held).toSorted();
      return Object.fromEntries(names.map((name) => [name, walk(held[name], depth + 1)]));
    }
    return fail(part === undefined ? 'undefined' : `a ${typeof part}`);
  };
  const data = walk(value, 0);
  return { key: JSON.stringify([data, handles]), handles, ids, data };
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
  const walk = (part: unknown): unknown => {
    if (part instanceof HandleMark) return handles[part.number];
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, walk(one)]));
  };
  return { value: walk(encoded.data), handles };
}
