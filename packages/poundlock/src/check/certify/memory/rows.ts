// What a thread or a flight knows of memory: a row of accesses for each level (K01-K03).
import type { Knowledge, SetId } from '../knowledge.ts';

/** The rows that signals carry, as offsets from the first one. */
export const RELEASED = 0;
/** Visible: known through scopes that include both sides (S12). */
export const VISIBLE = 1;
/** Visible to the async proxy, too (F01). */
export const FENCED = 2;
/** Writes of tensor maps that were released through their proxy (V02). */
export const MAPS_RELEASED = 3;
/** Writes of maps that a thread of the CTA has acquired (H14). */
export const MAPS_OF_CTA = 4;
/** Accesses to tensor memory that are known in order, and those known through its fences (T04). */
export const TENSOR = 5;
export const TENSOR_FENCED = 6;
export const CARRIED = 7;

/** What a thread has beside: writes of maps that it has acquired (V02). */
export const MAPS_ACQUIRED = 7;
/** Tensor memory before its last fence, and what waits brought since the last one (T04). */
export const TENSOR_BEFORE = 8;
export const TENSOR_AFTER = 9;
/** What its last release fence remembers: five rows (S13). */
export const RETAINED = 10;
/** What relaxed waits brought from where every scope will do, and from other CTAs (S13). */
export const PENDING = 15;
export const PENDING_WIDE = 20;
const OF_THREAD = 25;

/** Rows that come with a release and an acquire: released, visible, fenced, two of maps. */
export const ORDERED = 5;

/** The first of the rows of a thread. */
export function addThread(know: Knowledge): SetId {
  return addRows(know, OF_THREAD);
}

/** The first of the rows that a flight or a message has. */
export function addCarried(know: Knowledge): SetId {
  return addRows(know, CARRIED);
}

/** The first of some rows. */
export function addRows(know: Knowledge, count: number): SetId {
  const first = know.addRow();
  for (let row = 1; row < count; row++) know.addRow();
  return first;
}

/** Joins so many rows, one by one. */
export function joinRows(know: Knowledge, to: SetId, from: SetId, count: number): void {
  for (let row = 0; row < count; row++) know.join(to + row, from + row);
}

export function copyRows(know: Knowledge, to: SetId, from: SetId, count: number): void {
  for (let row = 0; row < count; row++) know.copy(to + row, from + row);
}

export function clearRows(know: Knowledge, first: SetId, count: number): void {
  for (let row = 0; row < count; row++) know.clear(first + row);
}
