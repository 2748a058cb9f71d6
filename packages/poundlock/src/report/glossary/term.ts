// The form of an entry of the glossary.

/** A word that a verdict prints, and what it means. */
export interface Term {
  /** A clause in lower case without a period. */
  readonly title: string;
  /** What follows from it, and what to do. */
  readonly page: string;
  /** Other forms of it that are printed. */
  readonly also: readonly string[];
}

/** An entry: its title, its page, and other forms of the word. */
export function term(title: string, page: string, ...also: string[]): Term {
  return { title, page, also };
}
