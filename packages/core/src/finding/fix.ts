// Fixes: edits of a source file that remove a finding.

/** Text to put in place of a part of a file; offsets count UTF-16 code units from 0. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One way to remove a finding. */
export interface Fix {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** `--fix` applies it; any other is a suggestion. */
  readonly isSafe: boolean;
}
