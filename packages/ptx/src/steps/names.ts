// Names of places in shared memory, by the variables that lie there, and in global memory, by the
// parameters that point there.
import { addressOf } from './pages.ts';
import { isGlobal, offsetOf, rankOf } from './step.ts';

/** A variable in shared memory of each CTA. */
export interface SharedVariable {
  readonly name: string;
  /** Its offset within a CTA. */
  readonly offset: number;
  readonly size: number;
  /** Bytes of an element that is named by its index; 0: offsets are shown. */
  readonly element: number;
}

/** The name of an offset: `full[1]`, `tile+1024`, `smem+64`. */
function nameIn(variables: readonly SharedVariable[], offset: number): string {
  for (const { name, offset: first, size, element } of variables) {
    if (offset < first || offset >= first + Math.max(1, size)) continue;
    const within = offset - first;
    if (element > 0 && within % element === 0)
      return size === element ? name : `${name}[${within / element}]`;
    return `${name}+${within}`;
  }
  return `smem+${offset}`;
}

/** A buffer in global memory, by the parameter that points to it. */
export interface Pointer {
  readonly name: string;
  readonly address: number;
  /** The bytes of a variable. */
  readonly bytes?: number;
}

/** What a run touched of global memory: its pages in order, and what points there. */
export interface GlobalPlaces {
  readonly pages: readonly number[];
  readonly pointers: readonly Pointer[];
}

/** A run that touches nothing there. */
export const NOWHERE: GlobalPlaces = { pages: [], pointers: [] };

/** The most bytes behind a pointer that are named by it. */
const MAX_DISTANCE = 2 ** 32;

/** `flags+64` for an address in the buffer that the parameter `flags` points to. */
export function globalName(pointers: readonly Pointer[], address: number): string {
  let best = '';
  let least = MAX_DISTANCE;
  for (const { name, address: first } of pointers) {
    const distance = address - first;
    if (distance < 0 || distance >= least) continue;
    least = distance;
    best = name;
  }
  if (best === '') return `global+0x${address.toString(16)}`;
  return least === 0 ? best : `${best}+${least}`;
}

/** Names places of a run; those of several CTAs have their rank. */
export function namer(
  variables: readonly SharedVariable[],
  ctas: number,
  { pages, pointers }: GlobalPlaces,
): (address: number) => string {
  return (address) => {
    if (isGlobal(address)) return globalName(pointers, addressOf(pages, address));
    const name = nameIn(variables, offsetOf(address));
    return ctas > 1 ? `cta${rankOf(address)}.${name}` : name;
  };
}
