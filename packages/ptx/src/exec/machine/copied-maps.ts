// Tensor maps in shared memory that threads have copied there from a parameter, word by word: what
// is not changed since, such as the box, is that of the parameter's.
import { MAP_BYTES } from '../../launch/map-key.ts';
import { PARAMETER_WINDOW } from '../../launch/windows.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { GlobalMemory } from './global-memory.ts';
import { SharedMemory } from './shared-memory.ts';

const WORD = 4;
/** Bytes that the loads and stores of a copy move at once. */
const MOVES = [8, 4] as const;

const found: Wide = { low: 0, high: 0 };
const expected: Wide = { low: 0, high: 0 };

/** The maps in parameters of a launch, as copies of them look in shared memory. */
export class CopiedMaps {
  readonly #global: GlobalMemory;
  readonly #offsets: readonly number[];
  readonly #copies = new Map<number, readonly SharedMemory[]>();

  /** `keys` are those of the maps of the launch. */
  constructor(global: GlobalMemory, keys: Iterable<string>) {
    this.#global = global;
    this.#offsets = [...keys].flatMap((key) => {
      const offset = /^parameter\+(\d+)$/.exec(key)?.[1];
      return offset === undefined ? [] : [Number(offset)];
    });
  }

  /** The key of the map that the bytes at a shared address are a copy of; `null`: of none. */
  of(memory: SharedMemory, address: number): string | null {
    if (this.#offsets.length === 0 || !memory.has(address, MAP_BYTES)) return null;
    const offset = this.#offsets.find((at) =>
      this.#copiesOf(at).some((copy) => areEqual(memory, address, copy)),
    );
    return offset === undefined ? null : `parameter+${offset}`;
  }

  /** What the bytes at a shared address are, as a text: equal as long as nothing changes them. */
  textOf(memory: SharedMemory, address: number): string {
    start(expected, 0);
    for (let at = 0; at < MAP_BYTES; at += WORD) {
      const isKnown = memory.load(address + at, WORD, found);
      mix(expected, found.low, found.high, isKnown ? 1 : 0);
    }
    return `${expected.low} ${expected.high}`;
  }

  /** What shared memory holds after the map of a parameter was copied there, by size of a move. */
  #copiesOf(offset: number): readonly SharedMemory[] {
    let copies = this.#copies.get(offset);
    if (copies === undefined) {
      copies = MOVES.map((bytes) => {
        const copy = new SharedMemory(1, MAP_BYTES);
        for (let at = 0; at < MAP_BYTES; at += bytes) {
          const isKnown = this.#global.load(offset + at, PARAMETER_WINDOW, bytes, expected);
          copy.store(at, bytes, expected, isKnown, null);
        }
        return copy;
      });
      this.#copies.set(offset, copies);
    }
    return copies;
  }
}

function areEqual(memory: SharedMemory, address: number, copy: SharedMemory): boolean {
  for (let at = 0; at < MAP_BYTES; at += WORD) {
    // What is known is no map of a parameter.
    const isKnown = memory.load(address + at, WORD, found);
    if (isKnown || copy.load(at, WORD, expected)) return false;
    if (found.low !== expected.low || found.high !== expected.high) return false;
  }
  return true;
}
