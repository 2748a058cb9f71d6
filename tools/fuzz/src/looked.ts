// What comes of one random program, whatever its kind.

/** What `check` and the truth say of one program. */
export interface Looked {
  /** What `check` says; `skipped` where the independent search gives up. */
  readonly verdict: string;
  /** How `check` and the truth disagree; '' where they do not. */
  readonly fault: string;
}

/**
 * Whether a program counts: a bound that was hit has shown nothing.
 *
 * @example
 * import { isDecided } from '@poundlock/fuzz';
 *
 * console.log(isDecided({ verdict: 'inconclusive', fault: '' })); // false
 */
export function isDecided({ verdict }: Looked): boolean {
  return verdict !== 'skipped' && verdict !== 'inconclusive';
}
