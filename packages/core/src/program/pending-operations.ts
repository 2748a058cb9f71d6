// Operations that a role has created and not performed yet: none may be left at its end (P13).
import { InputError, currentPosition, type Position } from '../base/index.ts';

/** The most operations of one role that wait to be performed at one time (bound `pending`). */
export const MAX_PENDING = 10_000;

/** What a program has to perform with `yield*` once it has called for it. */
export interface Performable {
  /** The call that creates it, such as `wait()`. */
  readonly call: string;
  /** How often it was created and not performed since: one object may be created many times. */
  pending: number;
  /** The list of the role that has created it. */
  creator: PendingOperations | null;
}

/** One operation that was created and not performed. */
export interface Pending {
  readonly id: number;
  readonly call: string;
  readonly at: Position | undefined;
}

/** The operations of one role, oldest first. Mostly it is one, and performed at once. */
export class PendingOperations {
  /** Reused: the first {@link size} entries count. */
  readonly #operations: Performable[] = [];
  readonly #ids: number[] = [];
  readonly #places: (Position | undefined)[] = [];
  size = 0;

  add(operation: Performable, id: number, place: Position | undefined): void {
    if (this.size >= MAX_PENDING) {
      throw new InputError(
        `a role creates more than ${MAX_PENDING} operations without performing them: ` +
          `write yield* before ${operation.call}`,
        currentPosition(),
      );
    }
    operation.pending++;
    operation.creator = this;
    this.#operations[this.size] = operation;
    this.#ids[this.size] = id;
    this.#places[this.size++] = place;
  }

  /**
   * An operation of the list is performed: the one that was created last, if it is one object. It
   * may be in the list of another role.
   */
  perform(operation: Performable): void {
    let at = this.size - 1;
    while (at >= 0 && this.#operations[at] !== operation) at--;
    if (at >= 0) this.#remove(at);
  }

  has(id: number): boolean {
    return this.#indexOf(id) >= 0;
  }

  delete(id: number): void {
    const at = this.#indexOf(id);
    if (at >= 0) this.#remove(at);
  }

  ids(): readonly number[] {
    return this.#ids.slice(0, this.size);
  }

  /** The operations with an id of at least `from`. */
  since(from: number): Pending[] {
    const found: Pending[] = [];
    for (let at = 0; at < this.size; at++) {
      const [id, { call }] = [this.#ids[at]!, this.#operations[at]!];
      if (id >= from) found.push({ id, call, at: this.#places[at] });
    }
    return found;
  }

  /** Takes the operations with an id of at least `from`, oldest first. */
  take(from: number): Pending[] {
    const taken = this.since(from);
    while (this.size > 0 && this.#ids[this.size - 1]! >= from) this.#remove(this.size - 1);
    return taken;
  }

  #indexOf(id: number): number {
    let at = this.size - 1;
    while (at >= 0 && this.#ids[at] !== id) at--;
    return at;
  }

  #remove(index: number): void {
    this.#operations[index]!.pending--;
    this.size--;
    for (let at = index; at < this.size; at++) {
      this.#operations[at] = this.#operations[at + 1]!;
      this.#ids[at] = this.#ids[at + 1]!;
      this.#places[at] = this.#places[at + 1];
    }
  }
}
