// Where memory lies: addresses are numbers that the run makes up, of which some bits are facts.
import type { Launch } from '../../launch/launch.ts';
import {
  LOCAL_WINDOW,
  MODULE_WINDOW,
  PARAMETER_WINDOW,
  SHARED_WINDOW,
  WORKSPACE_WINDOW,
} from '../../launch/windows.ts';
import type { Layout } from './symbols.ts';

/** What an address lies in. */
export interface Region {
  /** As the launch or the text names it. */
  readonly name: string;
  /** How many low bits of its address are facts. */
  readonly bits: number;
  /** Whether it is a buffer of the launch, which another one may overlap. */
  readonly mayOverlap: boolean;
  /** Whether it is a buffer whose place alone is not said. */
  readonly isBuffer: boolean;
  /** The high half of addresses at its begin. */
  readonly window: number;
}

/**
 * Low bits of windows that are facts: an offset in shared memory is the low half of its address.
 */
const BITS_OF_WINDOW = new Map([
  [SHARED_WINDOW, 32],
  [PARAMETER_WINDOW, 6],
  [LOCAL_WINDOW, 4],
  [WORKSPACE_WINDOW, 8],
]);
const NAME_OF_WINDOW = new Map([
  [SHARED_WINDOW, 'shared memory'],
  [PARAMETER_WINDOW, 'the parameters'],
  [LOCAL_WINDOW, 'local memory'],
  [WORKSPACE_WINDOW, 'the workspace of the grid'],
]);
/** An offset above half of a window is one before the begin of the next buffer. */
const HALF_WINDOW = 2 ** 31;
const HUGE = 2 ** 32;

/** The addresses of one run. */
export class Addresses {
  readonly #buffers = new Map<number, Region>();
  readonly #layout: Layout;
  readonly #last: number;
  /** Buffers of more bytes than a window. */
  readonly #huge = new Set<number>();

  constructor({ bounds }: Launch, layout: Layout) {
    this.#layout = layout;
    for (const [window, { name, bytes, align, isApart }] of bounds) {
      const bits = Math.log2(align);
      this.#buffers.set(window, { name, bits, mayOverlap: !isApart, isBuffer: true, window });
      if (bytes > HUGE) this.#huge.add(window);
    }
    this.#last = Math.max(0, ...bounds.keys());
  }

  /** Whether a value with this high half is an address that the run made up. */
  isAddress(high: number): boolean {
    if (high < WORKSPACE_WINDOW) return false;
    return high <= this.#last || high === MODULE_WINDOW || BITS_OF_WINDOW.has(high);
  }

  /** What an address lies in; `null` where it is none. */
  regionOf(low: number, high: number): Region | null {
    if (high === MODULE_WINDOW) return this.#variableAt(low);
    const bits = BITS_OF_WINDOW.get(high);
    if (bits === undefined) return high <= this.#last ? this.#bufferAt(low, high) : null;
    const name = NAME_OF_WINDOW.get(high)!;
    return { name, bits, mayOverlap: false, isBuffer: false, window: high };
  }

  #bufferAt(low: number, high: number): Region | null {
    const isBefore = low >= HALF_WINDOW && !this.#huge.has(high);
    return (isBefore ? this.#buffers.get(high + 1) : undefined) ?? this.#buffers.get(high) ?? null;
  }

  #variableAt(low: number): Region {
    const window = MODULE_WINDOW;
    for (const { name, space, offset, size, variable } of this.#layout.symbols.values()) {
      if (space !== 'module' || low < offset || low > offset + size) continue;
      const bits = variable === null ? 4 : Math.log2(variable.align);
      return { name, bits, mayOverlap: false, isBuffer: false, window };
    }
    return {
      name: 'a variable of the module',
      bits: 0,
      mayOverlap: false,
      isBuffer: false,
      window,
    };
  }
}
