// What signals leave at a barrier for those who wait: by how far their scopes reach (S12).
import type { Knowledge, SetId } from '../knowledge.ts';
import { clearRows, addRows, copyRows, joinRows, ORDERED, TENSOR } from './rows.ts';

/** Rows of a message that come by scope: visible, fenced, maps, and maps within a CTA. */
const BY_SCOPE = ORDERED - 1;
/** Those that come to other CTAs, too. */
const TO_OTHERS = BY_SCOPE - 1;
/** The box of what every scope can take. */
const ALWAYS = -1;

/** How a message was sent: from which CTA, and whether its scope reaches others. */
export interface Postmark {
  readonly cta: number;
  readonly isWide: boolean;
  /** Completions of asynchronous work are visible to all who wait (S15). */
  readonly isAlways: boolean;
}

/** Messages that came together: what takes them cannot distinguish them. */
export class Mail {
  readonly #know: Knowledge;
  /** What was released, whatever the scope, and two rows of tensor memory. */
  readonly #released: SetId;
  readonly #tensor: SetId;
  readonly #boxes = new Map<number, SetId>();

  constructor(know: Knowledge) {
    this.#know = know;
    this.#released = know.addRow();
    this.#tensor = addRows(know, 2);
  }

  /** A message with the rows from `carried` on; a relaxed one brings only tensor memory. */
  add(mark: Postmark, carried: SetId, isRelaxed: boolean): void {
    const know = this.#know;
    joinRows(know, this.#tensor, carried + TENSOR, 2);
    if (!isRelaxed) this.addOrdered(mark, carried);
  }

  /** The rows that come with a release, from `ordered` on. */
  addOrdered(mark: Postmark, ordered: SetId): void {
    this.#know.join(this.#released, ordered);
    joinRows(this.#know, this.#box(boxOf(mark)), ordered + 1, BY_SCOPE);
  }

  /** Tensor memory, which comes with every signal, known in order and through its fences (T05). */
  takeTensor(inOrder: SetId, fenced: SetId): void {
    this.#know.join(inOrder, this.#tensor);
    this.#know.join(fenced, this.#tensor + 1);
  }

  /** What CTA `cta` can take at a scope, into the rows from `ordered` on. */
  take(ordered: SetId, cta: number, isWide: boolean): void {
    this.#know.join(ordered, this.#released);
    for (const [box, rows] of this.#boxes) {
      const isNear = box === ALWAYS || box >> 1 === cta;
      if (isNear || (isWide && (box & 1) === 1)) {
        joinRows(this.#know, ordered + 1, rows, box >> 1 === cta ? BY_SCOPE : TO_OTHERS);
      }
    }
  }

  /** The same in two parts: what needs no scope, and what needs a wide one. */
  takeApart(near: SetId, far: SetId, cta: number): void {
    this.#know.join(near, this.#released);
    for (const [box, rows] of this.#boxes) {
      const isNear = box === ALWAYS || box >> 1 === cta;
      if (isNear) joinRows(this.#know, near + 1, rows, box >> 1 === cta ? BY_SCOPE : TO_OTHERS);
      else if ((box & 1) === 1) joinRows(this.#know, far + 1, rows, TO_OTHERS);
    }
  }

  /** Takes the place of these messages. */
  copy(from: Mail): void {
    const know = this.#know;
    know.copy(this.#released, from.#released);
    copyRows(know, this.#tensor, from.#tensor, 2);
    for (const rows of this.#boxes.values()) clearRows(know, rows, BY_SCOPE);
    for (const [box, rows] of from.#boxes) copyRows(know, this.#box(box), rows, BY_SCOPE);
  }

  clear(): void {
    const know = this.#know;
    know.clear(this.#released);
    clearRows(know, this.#tensor, 2);
    for (const rows of this.#boxes.values()) clearRows(know, rows, BY_SCOPE);
  }

  #box(box: number): SetId {
    const known = this.#boxes.get(box);
    if (known !== undefined) return known;
    const rows = addRows(this.#know, BY_SCOPE);
    this.#boxes.set(box, rows);
    return rows;
  }
}

function boxOf({ cta, isWide, isAlways }: Postmark): number {
  if (isAlways) return ALWAYS;
  return cta * 2 + (isWide ? 1 : 0);
}
