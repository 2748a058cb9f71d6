// Objects that belong to one thread: a copy of one, as `postMessage` makes, is refused.
import { RingMisuse } from './errors.ts';

/**
 * Lets every structured clone of an object throw: it would be a plain object without methods. A
 * clone reads all properties that are enumerable, and the console does not.
 */
export function bindToThread(object: object): void {
  Object.defineProperty(object, 'threadBound', { enumerable: true, get: refuse });
}

function refuse(this: object): never {
  const what = this.constructor.name;
  throw new RingMisuse(
    null,
    `a ${what} belongs to its thread and cannot be posted: post ring.transfer(), ` +
      `and call attachRing() in the other thread`,
  );
}
