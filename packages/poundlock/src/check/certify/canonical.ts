// The state of a run as a key: what its future depends on, and nothing else (theorem T4).
import { SIDE, transpose } from './bit-square.ts';
import type { LiveKnowledge } from './live-knowledge.ts';
import type { SetId } from './knowledge.ts';
import type { RoleOrder } from './role-order.ts';
import type { RunState } from './run-state.ts';

const FIRST_KEY_WORDS = 1 << 12;

/**
 * Turns states into keys and back. Of an event only the rows that know it matter, not its origin:
 * its *column*. On each list that is a set of columns, less those that are known to every role that
 * may still read them, and those that are known wherever another one of the list is.
 */
export class Canonical {
  readonly #run: RunState;
  readonly #live: LiveKnowledge;
  readonly #places: RoleOrder;
  readonly #extra: readonly Int32Array[];
  readonly #extraWords: number;
  #rows: SetId[] = [];
  #lists: SetId[] = [];
  #sets = 0;
  /** Whether roles wait for the ends of others, so that what those knew still matters. */
  #joins = false;
  /** Words of a column. */
  #span = 1;
  /** By list: the column of the roles that read it. */
  #askers: Int32Array[] = [];
  /** The rows that matter in the state that is being encoded. */
  #mask: Int32Array = new Int32Array(0);
  key = new Int32Array(FIRST_KEY_WORDS);
  /** By event that is on a list: where its column is, in `#columns` or in the key. */
  #columnOf = new Int32Array(0);
  #columns = new Int32Array(0);
  #used = 0;
  /** The events that are on a list, in this encoding. */
  #listed = new Int32Array(0);
  readonly #square = new Int32Array(SIDE);
  /** By list: its columns. */
  #found: number[][] = [];

  /** `extra` are words beside those of the machine. */
  constructor(run: RunState, live: LiveKnowledge, places: RoleOrder, extra: readonly Int32Array[]) {
    this.#run = run;
    this.#live = live;
    this.#places = places;
    this.#extra = extra;
    this.#extraWords = extra.reduce((sum, { length }) => sum + length, 0);
    this.plan();
  }

  /** Whether there are sets, or roles that read them, which are missing in the keys so far. */
  get isStale(): boolean {
    const { know, learned } = this.#run;
    return this.#live.hasGrown || know.sets !== this.#sets || learned.joins !== this.#joins;
  }

  /** Makes room for all sets that there are now. */
  plan(): void {
    const { know, spare } = this.#run;
    this.#places.matchQueues();
    this.#sets = know.sets;
    const all = Array.from({ length: know.sets }, (_, id) => id);
    this.#rows = all.filter((id) => !know.isList(id) && id !== spare);
    this.#lists = all.filter((id) => know.isList(id));
    this.#found = this.#lists.map(() => []);
    this.#span = Math.ceil(this.#rows.length / 32);
    this.#places.plan(this.#rows);
    this.#askers = this.#lists.map((list) => {
      // Row r is that of role r: roles come first.
      const roles = this.#run.program.roles.map((_, role) => role);
      return this.#columnOfRoles(this.#run.isForeign(list) ? roles : this.#live.readersOf(list));
    });
    this.#live.hasGrown = false;
    this.#joins = this.#run.learned.joins;
  }

  #columnOfRoles(roles: readonly number[]): Int32Array {
    const column = new Int32Array(this.#span);
    for (const role of roles) column[role >>> 5]! |= 1 << (role & 31);
    return column;
  }

  /** Writes the key of the state that the run is in; returns its length. */
  encode(isActing: (role: number) => boolean): number {
    const { words, machine } = this.#run;
    const { flights } = machine.layout;
    this.#run.removeKnown();
    this.#beginColumns();
    this.#mask = this.#maskOf(isActing);
    this.#fillColumns();
    for (let list = 0; list < this.#lists.length; list++) this.#findColumns(list);
    const places = this.#places;
    const hasMoved = places.arrange(this.#found, this.#columns, this.#span);
    if (hasMoved) this.#move();
    let at = 0;
    this.#reserve(flights + this.#extraWords + this.#lists.length + this.#used);
    for (const words of this.#extra) for (const word of words) this.key[at++] = word;
    const from = places.words;
    for (let i = 0; i < flights; i++) this.key[at++] = words[hasMoved ? from[i]! : i]!;
    for (const found of this.#found) {
      this.#reserve(at + 1 + found.length * this.#span);
      this.key[at++] = found.length;
      for (const column of found) {
        for (let i = 0; i < this.#span; i++) this.key[at++] = this.#columns[column + i]!;
      }
    }
    return at;
  }

  /** Brings the run into the state of a key. */
  decode(key: Int32Array): void {
    const { words, know, machine } = this.#run;
    const { flights } = machine.layout;
    let at = 0;
    for (const words of this.#extra) {
      for (let i = 0; i < words.length; i++) words[i] = key[at++]!;
    }
    for (let i = 0; i < flights; i++) words[i] = key[at++]!;
    know.reset();
    let events = 0;
    for (const list of this.#lists) {
      const count = key[at++]!;
      this.#reserveColumns(events + count);
      for (let event = 0; event < count; event++, at += this.#span) {
        know.introduce();
        know.add(list);
        this.#columnOf[events++] = at;
      }
    }
    this.#spreadColumns(key, events);
  }

  /** Lets rows know the events of a key, which are numbered in their order: 32 at a time. */
  #spreadColumns(key: Int32Array, events: number): void {
    const { bits, words } = this.#run.know;
    const [rows, square] = [this.#rows, this.#square];
    for (let word = 0; word * SIDE < events; word++) {
      const first = word * SIDE;
      const count = Math.min(SIDE, events - first);
      for (let part = 0; part < this.#span; part++) {
        let any = 0;
        for (let i = 0; i < count; i++) any |= square[i] = key[this.#columnOf[first + i]! + part]!;
        if (any === 0) continue;
        square.fill(0, count);
        transpose(square);
        for (let left = any; left !== 0; left &= left - 1) {
          const row = 31 - Math.clz32(left & -left);
          bits[rows[part * SIDE + row]! * words + word] = square[row]!;
        }
      }
    }
  }

  /** All rows but those of roles that have ended, whose knowledge is never read again. */
  #maskOf(isActing: (role: number) => boolean): Int32Array {
    const mask = new Int32Array(this.#span).fill(-1);
    const { program } = this.#run;
    if (program.ctas > 1 || this.#joins) return mask;
    program.roles.forEach((_, role) => {
      if (!isActing(role)) mask[role >>> 5]! &= ~(1 << (role & 31));
    });
    return mask;
  }

  #findColumns(index: number): void {
    const list = this.#lists[index]!;
    const { bits, words } = this.#run.know;
    const listed = this.#listed;
    const found = this.#found[index]!;
    found.length = 0;
    const isWhole = this.#run.know.isWhole(list) && !this.#run.isForeign(list);
    const askers = this.#askers[index]!;
    for (let word = 0; word < words; word++) {
      if (listed[word] === 0) continue;
      for (let left = bits[list * words + word]!; left !== 0; left &= left - 1) {
        const column = this.#columnOf[word * 32 + 31 - Math.clz32(left & -left)]!;
        if (isWhole || !this.#isKnownTo(column, askers)) this.#insert(found, column);
      }
    }
  }

  /** Adds a column in order, unless another covers it; removes those that it covers. */
  #insert(found: number[], column: number): void {
    for (const other of found) if (this.#isWithin(other, column)) return;
    let length = 0;
    for (const other of found) if (!this.#isWithin(column, other)) found[length++] = other;
    found.length = length;
    let at = length;
    while (at > 0 && this.#isBefore(column, found[at - 1]!)) at--;
    found.splice(at, 0, column);
  }

  /** Roles have changed places: so do their bits in every column. */
  #move(): void {
    const { rows } = this.#places;
    const moved = new Int32Array(this.#span);
    for (let column = 0; column < this.#used; column += this.#span) {
      moved.fill(0);
      for (let word = 0; word < this.#span; word++) {
        for (let left = this.#columns[column + word]!; left !== 0; left &= left - 1) {
          const row = rows[word * 32 + 31 - Math.clz32(left & -left)]!;
          moved[row >>> 5]! |= 1 << (row & 31);
        }
      }
      this.#columns.set(moved, column);
    }
    for (const found of this.#found) {
      if (found.length > 1) found.sort((one, two) => (this.#isBefore(one, two) ? -1 : 1));
    }
  }

  #isWithin(column: number, other: number): boolean {
    const columns = this.#columns;
    for (let i = 0; i < this.#span; i++) {
      if ((columns[column + i]! & ~columns[other + i]!) !== 0) return false;
    }
    return true;
  }

  #isBefore(column: number, other: number): boolean {
    const columns = this.#columns;
    for (let i = 0; i < this.#span; i++) {
      const [one, two] = [columns[column + i]!, columns[other + i]!];
      if (one !== two) return one < two;
    }
    return false;
  }

  /** Whether all roles that read an event, and still act, know it. */
  #isKnownTo(column: number, askers: Int32Array): boolean {
    for (let i = 0; i < this.#span; i++) {
      if ((askers[i]! & this.#mask[i]! & ~this.#columns[column + i]!) !== 0) return false;
    }
    return true;
  }

  #reserveColumns(events: number): void {
    if (events <= this.#columnOf.length) return;
    const larger = new Int32Array(Math.max(events, this.#columnOf.length * 2));
    larger.set(this.#columnOf);
    this.#columnOf = larger;
  }

  #beginColumns(): void {
    const events = this.#run.know.words * 32;
    this.#reserveColumns(events);
    this.#used = 0;
    if (this.#columns.length < events * this.#span) {
      this.#columns = new Int32Array(events * this.#span);
    }
  }

  /** Finds the column of every event that is on a list: 32 rows and 32 events at a time. */
  #fillColumns(): void {
    const { words } = this.#run.know;
    const listed = this.#listedEvents();
    for (let part = 0; part < this.#span; part++) {
      const mask = this.#mask[part]!;
      for (let word = 0; word < words; word++) {
        if (listed[word] === 0) continue;
        const isEmpty = mask === 0 || !this.#readSquare(part, word, listed[word]!);
        if (!isEmpty) transpose(this.#square);
        for (let left = listed[word]!; left !== 0; left &= left - 1) {
          const bit = 31 - Math.clz32(left & -left);
          const column = this.#columnOf[word * 32 + bit]! + part;
          this.#columns[column] = isEmpty ? 0 : this.#square[bit]! & mask;
        }
      }
    }
  }

  /** The events that are on a list, as a set; each gets room for its column. */
  #listedEvents(): Int32Array {
    const { bits, words } = this.#run.know;
    if (this.#listed.length < words) this.#listed = new Int32Array(words);
    for (let word = 0; word < words; word++) {
      let listed = 0;
      for (const list of this.#lists) listed |= bits[list * words + word]!;
      this.#listed[word] = listed;
      for (let left = listed; left !== 0; left &= left - 1) {
        this.#columnOf[word * 32 + 31 - Math.clz32(left & -left)] = this.#used;
        this.#used += this.#span;
      }
    }
    return this.#listed;
  }

  /** What 32 rows know of 32 events; `false` if that is nothing of those that are asked for. */
  #readSquare(part: number, word: number, wanted: number): boolean {
    const { bits, words } = this.#run.know;
    const rows = this.#rows;
    const square = this.#square;
    let any = 0;
    const from = part * SIDE;
    const count = Math.min(SIDE, rows.length - from);
    for (let i = 0; i < count; i++) any |= square[i] = bits[rows[from + i]! * words + word]!;
    square.fill(0, count);
    return (any & wanted) !== 0;
  }

  #reserve(length: number): void {
    if (length <= this.key.length) return;
    const larger = new Int32Array(length * 2);
    larger.set(this.key);
    this.key = larger;
  }
}
