// What is known of where variables lie: a declaration promises an alignment, and no address.
import {
  LOCAL_WINDOW,
  MODULE_WINDOW,
  PARAMETER_WINDOW,
  SHARED_WINDOW,
} from '../../launch/windows.ts';
import { offsetOf } from '../../steps/step.ts';
import { SYSTEM_BYTES } from './symbols.ts';
import type { Layout, Symbol } from './symbols.ts';

/** How an address lies: as asked, as no placement of its variable makes it, or by the placement. */
export type Fit = 'aligned' | 'never' | 'unpromised';

/** Variables of one state space in the order of their addresses. */
interface Placed {
  readonly from: number;
  readonly to: number;
  readonly promised: number;
  readonly name: string;
  /** Whether it is in constant memory. */
  readonly isConstant: boolean;
  /** Whether its size is not declared. */
  readonly isOpen: boolean;
}

const SPACES: ReadonlyMap<number, Symbol['space']> = new Map([
  [SHARED_WINDOW, 'shared'],
  [LOCAL_WINDOW, 'local'],
  [MODULE_WINDOW, 'module'],
]);

/** Where the variables of a kernel lie, and what is promised of it. */
export class Placement {
  readonly #spaces = new Map<Symbol['space'], readonly Placed[]>();
  readonly #least = new Map<number, number>();

  constructor({ symbols }: Layout) {
    const all = [...symbols.values()];
    const dynamic = all.filter(({ space, variable }) => space === 'shared' && variable?.size === 0);
    const isFirst = dynamic.every(({ offset }) => offset === SYSTEM_BYTES);
    // Dynamic shared memory begins where variables end: without any, behind the system's bytes.
    const dynamicAlign = Math.max(16, ...dynamic.map(({ variable }) => variable!.align));
    for (const [window, space] of SPACES) {
      const placed = all
        .filter((symbol) => symbol.space === space)
        .map((symbol) => {
          const { offset, size, variable, name } = symbol;
          const align = variable?.align ?? 1;
          const promised = !dynamic.includes(symbol)
            ? align
            : isFirst
              ? SYSTEM_BYTES
              : dynamicAlign;
          const isConstant = variable?.space === 'const';
          const isOpen = variable?.size === 0;
          return { from: offset, to: offset + size, promised, name, isConstant, isOpen };
        });
      this.#spaces.set(space, placed);
      this.#least.set(window, Math.min(...placed.map(({ promised }) => promised)));
    }
  }

  /** What all variables of a space promise. */
  leastPromise(high: number): number {
    return this.#least.get(high) ?? Number.POSITIVE_INFINITY;
  }

  /** How an address with two halves lies for accesses that need a power of two. */
  fit(low: number, high: number, needed: number): Fit {
    if (needed <= 1) return 'aligned';
    const variable = this.variableAt(low, high);
    if (variable === null) return low % needed === 0 ? 'aligned' : 'never';
    const { from, promised } = variable;
    const within = (high === SHARED_WINDOW ? offsetOf(low) : low) - from;
    if (within % Math.min(needed, promised) !== 0) return 'never';
    return needed <= promised ? 'aligned' : 'unpromised';
  }

  /** The variable at an address; `null` for parameters, buffers, and between variables. */
  variableAt(low: number, high: number): Placed | null {
    if (high === PARAMETER_WINDOW) return null;
    const space = SPACES.get(high);
    if (space === undefined) return null;
    const offset = space === 'shared' ? offsetOf(low) : low;
    return this.#spaces.get(space)!.find(({ from, to }) => from <= offset && offset < to) ?? null;
  }
  /** The last variable that begins at an address or before it. */
  variableBefore(low: number, high: number): Placed | null {
    const space = SPACES.get(high);
    return this.#spaces.get(space!)?.findLast(({ from }) => from <= low) ?? null;
  }
}
