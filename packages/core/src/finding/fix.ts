// Fixes: edits of a source file that remove a finding.

/** Text that replaces a part of a file. Offsets count UTF-16 code units from 0. */
export interface Edit {
  /** The first offset that is replaced. */
  readonly start: number;
  /** The offset after the last one. */
  readonly end: number;
  /** The replacement. */
  readonly text: string;
}

/** One way to remove a finding. */
export interface Fix {
  /** What it does, as a short imperative sentence. */
  readonly title: string;
  /** The edits, which belong together. */
  readonly edits: readonly Edit[];
  /** Whether `--fix` applies it; otherwise it is a suggestion. */
  readonly isSafe: boolean;
}
