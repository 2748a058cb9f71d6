// Live-variable analysis of knowledge: lists that no role will read are no part of a state.
import { Knowledge, type SetId } from './knowledge.ts';

/**
 * Records for every list the roles that have read it, and the list that its events go to. When a
 * role reads a list for the first time, the states that were distinguished without that are stale:
 * {@link hasGrown}.
 */
export class LiveKnowledge extends Knowledge {
  /** The roles that can do what is under way: one, and those that do the same. */
  actors: readonly number[] = [];
  hasGrown = false;
  readonly #roles: number;
  readonly #readers: (Uint8Array | undefined)[] = [];
  readonly #flowsTo: (SetId | undefined)[] = [];

  constructor(roles: number) {
    super(roles);
    this.#roles = roles;
  }

  /** The roles that read events on a list, or will when the events have moved on. */
  readersOf(list: SetId): number[] {
    const found = new Set<number>();
    for (let at: SetId | undefined = list; at !== undefined; at = this.#flowsTo[at]) {
      this.#readers[at]?.forEach((isReader, role) => isReader === 1 && found.add(role));
    }
    return [...found];
  }

  override noteRead(list: SetId): void {
    const readers = (this.#readers[list] ??= new Uint8Array(this.#roles));
    if (readers[this.actors[0]!] === 1) return;
    for (const actor of this.actors) readers[actor] = 1;
    this.hasGrown = true;
  }

  override flow(from: SetId, to: SetId): void {
    if (this.#flowsTo[from] === to) return;
    this.#flowsTo[from] = to;
    this.hasGrown = true;
  }
}
