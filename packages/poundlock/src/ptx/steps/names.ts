// Names of addresses in shared memory, by the variables that lie there.
import { offsetOf, rankOf } from './step.ts';

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

/** Names addresses of a cluster; those of several CTAs have their rank. */
export function namer(
  variables: readonly SharedVariable[],
  ctas: number,
): (address: number) => string {
  return (address) => {
    const name = nameIn(variables, offsetOf(address));
    return ctas > 1 ? `cta${rankOf(address)}.${name}` : name;
  };
}
