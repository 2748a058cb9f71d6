// The order of interchangeable roles in a key: sorted by what they do next and what they know.
import type { AsyncIssues } from './async-issues.ts';
import type { SetId } from './knowledge.ts';
import type { RunState } from './run-state.ts';
import type { Symmetry } from '../symmetry.ts';

/** Where the words of each role are, beside those of the machine. */
export interface RoleWords {
  readonly registers: number;
  readonly counts: number;
}

/** Finds one order for the members of each group, the same for states that differ only in it. */
export class RoleOrder {
  readonly #run: RunState;
  readonly #symmetry: Symmetry;
  readonly #asyncIssues: AsyncIssues;
  /** By role: the places of its words in a state, and of its rows in a column. */
  readonly #wordsOf: number[][];
  #rowsOf: number[][] = [];
  /** By word of a key, the word of the state that is written there. */
  readonly words: Int32Array;
  /** By row of a column, where it goes. */
  rows: Int32Array = new Int32Array(0);

  constructor(run: RunState, symmetry: Symmetry, asyncIssues: AsyncIssues, at: RoleWords) {
    this.#run = run;
    this.#symmetry = symmetry;
    this.#asyncIssues = asyncIssues;
    const { roles, declarations } = run.program;
    const { sync, cluster, registers, flights } = run.machine.layout;
    const [perRole, counts] = [declarations.rings.length * 2, declarations.counts.length];
    const range = (start: number, length: number): number[] =>
      Array.from({ length }, (_, index) => start + index);
    this.#wordsOf = roles.map((_, role) => [
      role,
      sync + role,
      cluster + role,
      ...(declarations.registers === null ? [] : [registers + run.program.ctas + role]),
      ...range(at.registers + role * perRole, perRole),
      ...range(at.counts + role * counts, counts),
    ]);
    this.words = Int32Array.from({ length: flights }, (_, word) => word);
  }

  /** Gives all members of a group the same queues. */
  matchQueues(): void {
    for (const group of this.#symmetry.groups) {
      for (const one of group) for (const other of group) this.#asyncIssues.matchQueues(one, other);
    }
  }

  /** `rows` are those of a column. */
  plan(rows: readonly SetId[]): void {
    const places = new Map(rows.map((row, place) => [row, place]));
    this.rows = Int32Array.from(rows, (_, place) => place);
    this.#rowsOf = this.#run.program.roles.map((_, role) => {
      return [role, ...this.#asyncIssues.rowsOf(role)].map((row) => places.get(row)!);
    });
  }

  /** Whether members of some group are to change places, as `words` and `rows` say. */
  arrange(found: readonly number[][], columns: Int32Array, span: number): boolean {
    let hasMoved = false;
    for (const group of this.#symmetry.groups) {
      const signs = group.map((role) => this.#signOf(role, group, found, columns, span));
      const order = group.map((_, index) => index);
      order.sort((one, two) => this.#compare(group[one]!, group[two]!, signs[one]!, signs[two]!));
      order.forEach((index, place) => this.#put(group[index]!, group[place]!));
      hasMoved ||= order.some((index, place) => index !== place);
    }
    return hasMoved;
  }

  /** `role` goes where `place` was. */
  #put(role: number, place: number): void {
    const [words, wordsAt] = [this.#wordsOf[role]!, this.#wordsOf[place]!];
    for (let i = 0; i < words.length; i++) this.words[wordsAt[i]!] = words[i]!;
    const [rows, rowsAt] = [this.#rowsOf[role]!, this.#rowsOf[place]!];
    for (let i = 0; i < rows.length; i++) this.rows[rows[i]!] = rowsAt[i]!;
  }

  #compare(one: number, two: number, sign: number, otherSign: number): number {
    const { words } = this.#run;
    const [at, otherAt] = [this.#wordsOf[one]!, this.#wordsOf[two]!];
    for (let i = 0; i < at.length; i++) {
      const difference = words[at[i]!]! - words[otherAt[i]!]!;
      if (difference !== 0) return difference;
    }
    return sign - otherSign;
  }

  /** What a role and its queues know, in a form that does not depend on the order of the group. */
  #signOf(
    role: number,
    group: readonly number[],
    found: readonly number[][],
    columns: Int32Array,
    span: number,
  ): number {
    const own = this.#rowsOf[role]!;
    const isOfGroup = new Set(group.flatMap((member) => this.#rowsOf[member]!));
    let sign = 0;
    for (const [list, entries] of found.entries()) {
      for (const column of entries) {
        let hash = list + 1;
        for (let word = 0; word < span; word++) {
          for (let left = columns[column + word]!; left !== 0; left &= left - 1) {
            const row = word * 32 + 31 - Math.clz32(left & -left);
            if (!isOfGroup.has(row)) hash = Math.imul(hash ^ row, 0x9e3779b1) ^ (hash >>> 15);
          }
        }
        for (const [index, row] of own.entries()) {
          const knows = (columns[column + (row >>> 5)]! >>> (row & 31)) & 1;
          if (knows === 1) sign = (sign + Math.imul(hash, 2 * index + 1)) | 0;
        }
      }
    }
    return sign;
  }
}
