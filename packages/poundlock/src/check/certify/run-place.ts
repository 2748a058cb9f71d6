// Where events of a run were made, for a run that is repeated to say between which two it failed.
import { Knowledge, type SetId } from './knowledge.ts';

/** An operation of a role, counted from 0 among those that others can observe. */
export interface RunPlace {
  readonly role: number;
  readonly at: number;
  /** Which of the flights that it issues is meant, −1 for the operation itself. */
  readonly flight: number;
}

/** Something on a list that a row does not know, although it has to. */
export interface Lack {
  readonly row: SetId;
  readonly list: SetId;
}

/** Happens-before with the place of each event that is on a list. */
export class PlacedKnowledge extends Knowledge {
  #here: RunPlace = { role: 0, at: 0, flight: -1 };
  /** By event and list: the last place that put it there. */
  readonly #places = new Map<number, Map<SetId, RunPlace>>();

  /** A role is about to perform an operation. */
  begin(role: number, at: number): void {
    this.#here = { role, at, flight: -1 };
  }

  /** Which of its flights completes now, −1 where the role goes on. */
  fly(flight: number): void {
    this.#here = { ...this.#here, flight };
  }

  /** The place of an event that a row lacks; `null` where it lacks none. */
  placeOf({ row, list }: Lack): RunPlace | null {
    const event = this.missing(row, list);
    if (event < 0) return null;
    const places = this.#places.get(event);
    // Contributions move from list to list as phases complete.
    return places?.get(list) ?? [...(places?.values() ?? [])].at(-1) ?? null;
  }

  override introduce(): void {
    super.introduce();
    this.#places.delete(this.last);
  }

  override add(id: SetId): void {
    super.add(id);
    if (!this.isList(id)) return;
    const places = this.#places.get(this.last) ?? new Map<SetId, RunPlace>();
    places.delete(id);
    this.#places.set(this.last, places.set(id, this.#here));
  }
}
