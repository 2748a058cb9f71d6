// Pieces: what buffers have in common. Engines see pieces alone, and no buffer (B01).
import type { Declarations, Space } from './declarations.ts';
import type { Kernel } from './kernel.ts';
import type { Role } from './role.ts';
import { sharersOf } from './strands.ts';

/** A range of bytes that the same buffers cover. */
interface Atom {
  readonly covers: readonly number[];
}

/** The parts of a piece that strands have of their own: by family, which class has it. */
interface Part {
  readonly piece: number;
  readonly classOf: ReadonlyMap<string, number>;
}

/**
 * The pieces of a program. A buffer that has no byte in common with another one, and that strands
 * do not share, is one piece with its own number; other pieces have the numbers after those of the
 * buffers.
 */
export class Pieces {
  /** By piece that is no buffer: its name, and a buffer that it is a part of. */
  readonly names: string[] = [];
  readonly #partOf: number[] = [];
  readonly #families: string[] = [];
  readonly #buffers: readonly string[];
  readonly #declared: number;
  readonly #ofBuffer: (readonly Part[])[] = [];
  readonly #all: (readonly number[])[] = [];
  readonly #places: Declarations['places'];

  constructor(declarations: Declarations, kernel: Kernel, roles: readonly Role[]) {
    const { buffers, places } = declarations;
    this.#declared = buffers.length;
    this.#buffers = buffers;
    this.#places = places;
    const atoms = atomsOf(declarations);
    const classes = new Map(
      roles.flatMap(({ part }) => (part === null ? [] : [[part.family, part.classes] as const])),
    );
    const partsOf = new Map<Atom, readonly Part[]>();
    for (const [buffer, own] of atoms.entries()) {
      const parts = own.flatMap((atom) => {
        const known = partsOf.get(atom);
        if (known !== undefined) return known;
        const families = new Set(atom.covers.flatMap((one) => [...sharersOf(kernel, one)]));
        const isWhole = own.length === 1 && atom.covers.length === 1;
        const name = atom.covers.map((one) => buffers[one]!).join(' and ');
        const first = isWhole ? buffer : -1;
        const parts = this.#divide(first, name, buffer, [...families], classes);
        partsOf.set(atom, parts);
        return parts;
      });
      this.#ofBuffer.push(parts);
      this.#all.push(parts.map(({ piece }) => piece));
    }
  }

  /** How many numbers there are: of buffers, and of pieces that are none. */
  get count(): number {
    return this.#declared + this.names.length;
  }

  /** Whether a piece is one for all CTAs: global memory, and a tensor map with an address. */
  isGlobal(piece: number): boolean {
    const { space, at } = this.#places[this.#bufferOf(piece)]!;
    return space === 'global' || (space === 'tensormap' && at >= 0);
  }

  /** The memory that a piece is in. */
  spaceOf(piece: number): Space {
    return this.#places[this.#bufferOf(piece)]!.space;
  }

  /** The name of a piece: those of the buffers that cover it. */
  nameOf(piece: number): string {
    return this.#buffers[piece] ?? this.names[piece - this.#declared]!;
  }

  /** The buffers that cover a piece. */
  coversOf(piece: number): readonly number[] {
    return this.#all.flatMap((pieces, buffer) => (pieces.includes(piece) ? [buffer] : []));
  }

  /** What the stages of a ring have in common: the name without a number in brackets. */
  familyOf(piece: number): string {
    const buffer = this.#bufferOf(piece);
    const plain = (): string => this.#buffers[buffer]!.replaceAll(/\[\d+\]/g, '[]');
    return (this.#families[piece] ??= this.#places[buffer]!.family ?? plain());
  }

  #bufferOf(piece: number): number {
    return piece < this.#declared ? piece : this.#partOf[piece - this.#declared]!;
  }

  /** The pieces of a buffer. */
  of(buffer: number): readonly number[] {
    return this.#all[buffer]!;
  }

  /** The pieces of a buffer that one class of a family has for itself. */
  ofStrands(buffer: number, { part }: Role): readonly number[] {
    if (part === null) return this.#all[buffer]!;
    return this.#ofBuffer[buffer]!.flatMap(({ piece, classOf }) => {
      const owner = classOf.get(part.family);
      return owner === undefined || owner === part.index ? [piece] : [];
    });
  }

  /** A piece for each combination of classes of the families that share it. */
  #divide(
    own: number,
    name: string,
    buffer: number,
    families: readonly string[],
    classes: ReadonlyMap<string, number>,
  ): readonly Part[] {
    let combinations: Map<string, number>[] = [new Map()];
    for (const family of families) {
      const count = classes.get(family) ?? 1;
      if (count < 2) continue;
      combinations = combinations.flatMap((one) =>
        Array.from({ length: count }, (_, index) => new Map(one).set(family, index)),
      );
    }
    return combinations.map((classOf, index) => {
      if (index === 0 && own >= 0) return { piece: own, classOf };
      this.#partOf.push(buffer);
      return { piece: this.#declared + this.names.push(name) - 1, classOf };
    });
  }
}

/** By buffer: the atoms that it covers. */
function atomsOf({ buffers, places }: Declarations): Atom[][] {
  const found: Atom[][] = buffers.map((_, buffer) => [{ covers: [buffer] }]);
  const bySpace = new Map<Space, number[]>();
  for (const [buffer, { space, at }] of places.entries()) {
    if (at >= 0) bySpace.set(space, [...(bySpace.get(space) ?? []), buffer]);
  }
  for (const placed of bySpace.values()) {
    const ends = placed.flatMap((one) => [places[one]!.at, places[one]!.at + places[one]!.bytes]);
    const cuts = [...new Set(ends)].toSorted((one, other) => one - other);
    for (const one of placed) found[one] = [];
    const sorted = placed.toSorted((one, other) => places[one]!.at - places[other]!.at);
    let next = 0;
    let live: number[] = [];
    let last: Atom | null = null;
    for (const cut of cuts) {
      while (next < sorted.length && places[sorted[next]!]!.at <= cut) live.push(sorted[next++]!);
      live = live.filter((one) => places[one]!.at + places[one]!.bytes > cut);
      if (live.length === 0) last = null;
      else if (last === null || !isSame(last.covers, live)) {
        last = { covers: live.toSorted((one, other) => one - other) };
        for (const one of live) found[one]!.push(last);
      }
    }
  }
  return found;
}

function isSame(sorted: readonly number[], live: readonly number[]): boolean {
  return sorted.length === live.length && live.every((one) => sorted.includes(one));
}
