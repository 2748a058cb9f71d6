// Where the bytes of buffers are in the memory of a run: those in common are one place (B01).
import { physical, type MachineShape } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';

/** Bytes of a cache line, at which buffers begin. */
export const LINE_BYTES = 64;

/** By physical buffer: its first byte. */
export interface BufferPlaces {
  readonly at: Int32Array;
  /** The first byte after all of them. */
  readonly end: number;
}

/** A buffer, and in what range of buffers with bytes in common it is. */
interface Range {
  readonly id: number;
  readonly first: number;
  readonly bytes: number;
}

/** Gives each buffer its bytes, from `from` on. */
export function placeBuffers(program: Program, shape: MachineShape, from: number): BufferPlaces {
  const { bufferBytes } = program.declarations;
  const at = new Int32Array(bufferBytes.length * shape.ctas);
  let end = from;
  const take = (bytes: number): number => {
    const first = end;
    end += Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;
    return first;
  };
  const placed = rangesOf(program);
  const done = new Set<number>();
  for (const [id, size] of bufferBytes.entries()) {
    const range = placed.get(id) ?? [{ id, first: 0, bytes: size }];
    if (done.has(range[0]!.id)) continue;
    done.add(range[0]!.id);
    const isGlobal = program.pieces.isGlobal(id);
    // Views of numbers begin at multiples of their size, from the beginning of the memory on.
    const start = Math.floor(range[0]!.first / LINE_BYTES) * LINE_BYTES;
    const bytes = Math.max(...range.map((one) => one.first + one.bytes - start));
    for (let cta = 0; cta < shape.ctas; cta++) {
      const base = isGlobal && cta > 0 ? -1 : take(bytes);
      for (const one of range) {
        const own = physical(shape, one.id, cta);
        at[own] = base < 0 ? at[physical(shape, one.id, 0)]! : base + one.first - start;
      }
    }
  }
  return { at, end };
}

/** By buffer that has an address: all that share bytes with it, or with one of those. */
function rangesOf(program: Program): Map<number, readonly Range[]> {
  const { places, bufferBytes } = program.declarations;
  const found = new Map<number, readonly Range[]>();
  const addressed = [...bufferBytes.keys()].filter((id) => places[id]!.at >= 0);
  for (const ids of Map.groupBy(addressed, (id) => places[id]!.space).values()) {
    let range: Range[] = [];
    let end = -1;
    for (const id of ids.toSorted((one, other) => places[one]!.at - places[other]!.at)) {
      const { at, bytes } = places[id]!;
      if (at >= end) range = [];
      range.push({ id, first: at, bytes });
      found.set(id, range);
      end = Math.max(end, at + bytes);
    }
  }
  return found;
}
