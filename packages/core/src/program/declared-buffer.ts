// A declared buffer, and the parts that a program takes of it.
import { currentPosition, InputError } from '../base/index.ts';
import type { Declared, Op } from '../op/index.ts';
import { currentDeclarations } from './declarations.ts';
import { requireWhole } from './whole.ts';

/** A range of memory that roles read and write; races are between accesses to one buffer. */
export interface Buffer extends Declared {
  /** The type of declaration. */
  readonly type: 'buffer';
  /** The index of the pool that it is allocated from; −1 for memory that always exists. */
  readonly pool: number;
  /**
   * A buffer over `bytes` bytes of this one, from byte `from` on (B01).
   *
   * @throws InputError for a range that is not inside the buffer, or a buffer without bytes.
   */
  readonly slice: (from: number, bytes: number) => Buffer;
  /** @internal */
  readonly memo: { read: Op | undefined; write: Op | undefined; ops: Op[] | undefined };
}

/** What `buffer()` and a pool declare. */
export class DeclaredBuffer implements Buffer {
  readonly type = 'buffer';
  readonly id: number;
  readonly name: string;
  readonly pool: number;
  readonly memo: { read: Op | undefined; write: Op | undefined; ops: Op[] | undefined };

  constructor(id: number, name: string, pool: number) {
    this.id = id;
    this.name = name;
    this.pool = pool;
    this.memo = { read: undefined, write: undefined, ops: undefined };
  }

  /** B01: declared in the kernel's callback, as buffers are. */
  slice(from: number, bytes: number): Buffer {
    const declarations = currentDeclarations('slice()');
    const { space, at, bytes: all } = declarations.places[this.id]!;
    requireWhole(`the first byte of a slice of ${this.name}`, from, 0);
    requireWhole(`the bytes of a slice of ${this.name}`, bytes, 1);
    if (declarations.bufferBytes[this.id] === 0 || from + bytes > all) {
      throw new InputError(
        `buffer ${this.name} has ${declarations.bufferBytes[this.id]} bytes, ` +
          `and a slice ends at byte ${from + bytes}`,
        currentPosition(),
      );
    }
    const name = `${this.name}.slice(${from}, ${bytes})`;
    declarations.claimName(name);
    declarations.bufferBytes.push(0);
    // A buffer without a place of its own is given one that no other has.
    const base = at >= 0 ? at : ownPlace(this.id);
    if (at < 0) declarations.places[this.id] = { space, at: base, bytes: all };
    declarations.places.push({ space, at: base + from, bytes });
    return new DeclaredBuffer(declarations.buffers.push(name) - 1, name, -1);
  }
}

/** Places that no buffer with an address has: each buffer has so many bytes there. */
const FAR = 2 ** 40;

function ownPlace(id: number): number {
  return FAR * (id + 1);
}
