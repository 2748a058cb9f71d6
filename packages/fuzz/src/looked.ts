// What comes of one random program, whatever its kind.

export interface Looked {
  /** What `check` says; `skipped` where the independent search gives up. */
  readonly verdict: string;
  /** How `check` and the truth disagree; '' where they do not. */
  readonly fault: string;
}

/** Whether a program counts: a bound that was hit has shown nothing. */
export function isDecided({ verdict }: Looked): boolean {
  return verdict !== 'skipped' && verdict !== 'inconclusive';
}
