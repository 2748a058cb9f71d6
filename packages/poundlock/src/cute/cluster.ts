// Clusters of CTAs: whose stages a multicast copy fills, and so whom a release must reach.
import { requireCount } from '../program/index.ts';

/** Rows and columns of a cluster; CTA r is in row r mod m and column ⌊r / m⌋. */
export type ClusterShape = readonly [m: number, n: number];

/** Whether A is multicast along a row, and B along a column. */
export type McastMode = readonly [m: 0 | 1, n: 0 | 1];

/** The CTAs that share a stage's data with one CTA. */
export interface Multicast {
  /** How many partners each CTA has, itself included. */
  readonly size: number;
  /** The partners of CTA `cta` in order; `undefined` where there is no cluster: itself alone. */
  readonly partners: (cta: number) => readonly number[] | undefined;
}

/**
 * The CTAs of a cluster.
 *
 * @throws InputError for a shape without CTAs.
 */
export function ctasOf([rows, columns]: ClusterShape = [1, 1]): readonly number[] {
  requireCount('the rows of a cluster', rows, 1);
  requireCount('the columns of a cluster', columns, 1);
  return Array.from({ length: rows * columns }, (_, cta) => cta);
}

/**
 * Who multicasts to whom in a cluster: the CTAs of one's row where A is multicast, and of one's
 * column where B is.
 *
 * @throws InputError for a shape without CTAs.
 */
export function multicastOf(shape: ClusterShape = [1, 1], mode: McastMode = [1, 1]): Multicast {
  const ctas = ctasOf(shape);
  const [rows, columns] = shape;
  const [alongRow, alongColumn] = mode;
  const both = alongRow === 1 && alongColumn === 1;
  const size = alongRow * columns + alongColumn * rows - Number(both);
  requireCount('the CTAs that a stage is multicast to', size, 1);
  const isPartner = (cta: number, other: number): boolean =>
    (alongRow === 1 && other % rows === cta % rows) ||
    (alongColumn === 1 && Math.floor(other / rows) === Math.floor(cta / rows));
  const partners = ctas.map((cta) => ctas.filter((other) => isPartner(cta, other)));
  return { size, partners: (cta) => (ctas.length === 1 ? undefined : partners[cta]) };
}
