// Clusters of CTAs: the targets of multicast copies and of the releases of their stages.
import { InputError } from '@poundlock/core';
import { currentPosition, requireCount } from '@poundlock/core/dialect';

/**
 * The CTAs of a cluster: `v` work as one on an MMA (1 or 2), and `m` rows, `n` columns and `k`
 * splits of them make up the cluster. `v` counts first: CTA 0 and 1 are a pair if `v` is 2.
 */
export type CtaLayout = readonly [v: number, m: number, n: number, k: number];

/** Whether A is multicast along a row, and B along a column. */
export type McastMode = readonly [m: 0 | 1, n: 0 | 1];

/** The CTAs that an operation of CTA `cta` reaches; `undefined`: itself alone. */
export type Reaching = (cta: number) => readonly number[] | undefined;

/** An operation reaches the CTA that makes it. */
export const itself: Reaching = () => undefined;

/** Which CTAs multicast to which, and which work as pairs. */
export interface Cluster {
  readonly ctas: readonly number[];
  /** How many CTAs, or pairs of them, release a stage that was multicast to them. */
  readonly multicastSize: number;
  /** Those that share a stage's data with a CTA, of the same number in their pairs. */
  readonly partners: Reaching;
  /** The same, with their peers. */
  readonly partnersAndPeers: Reaching;
  /** Those that work as one with a CTA. */
  readonly pair: Reaching;
  /** The first one of them. */
  readonly leader: Reaching;
  readonly isLeader: (cta: number) => boolean;
}

/**
 * Reads a cluster's layout: A is multicast to the CTAs of one's row, B to those of one's column.
 *
 * @throws InputError for a layout without CTAs, and for more than two that work as one.
 */
export function clusterOf(layout: CtaLayout = [1, 1, 1, 1], mode: McastMode = [1, 1]): Cluster {
  requireNumbers('the layout of a cluster', layout, 4);
  requireNumbers('the multicast mode of a cluster', mode, 2);
  for (const one of mode) requireCount('each number of a multicast mode', one, 0, 1);
  const [v, m, n, k] = layout;
  for (const size of layout) requireCount('each size of a cluster', size, 1);
  if (v > 2) throw new InputError(`at most 2 CTAs work as one, not ${v}`, currentPosition());
  const [toRow, toColumn] = mode;
  const multicastSize = toRow * n + toColumn * m - toRow * toColumn;
  requireCount('the CTAs that a stage is multicast to', multicastSize, 1);
  const ctas = Array.from({ length: v * m * n * k }, (_, cta) => cta);
  const first = (cta: number): number => cta - (cta % v);
  const place = (cta: number): [number, number, number] => {
    const at = Math.floor(cta / v);
    return [at % m, Math.floor(at / m) % n, Math.floor(at / (m * n))];
  };
  const shares = (cta: number, other: number): boolean => {
    const [row, column, split] = place(cta);
    const [otherRow, otherColumn, otherSplit] = place(other);
    const inRow = toRow === 1 && row === otherRow;
    return split === otherSplit && (inRow || (toColumn === 1 && column === otherColumn));
  };
  const reaching = (reaches: (cta: number, other: number) => boolean): Reaching => {
    const lists = ctas.map((cta) => ctas.filter((other) => reaches(cta, other)));
    return ctas.length === 1 ? itself : (cta) => lists[cta];
  };
  return {
    ctas,
    multicastSize,
    partners: reaching((cta, other) => cta % v === other % v && shares(cta, other)),
    partnersAndPeers: reaching(shares),
    pair: reaching((cta, other) => first(cta) === first(other)),
    leader: reaching((cta, other) => first(cta) === other),
    isLeader: (cta) => cta % v === 0,
  };
}

/** Throws unless `numbers` is a list of so many. */
function requireNumbers(what: string, numbers: readonly number[], length: number): void {
  if (Array.isArray(numbers) && numbers.length === length) return;
  throw new InputError(`${what} must be a list of ${length} numbers`, currentPosition());
}
