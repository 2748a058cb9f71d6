// Why an exception was thrown, by certainty.
import type { SourceFile } from '../syntax/node.ts';

/**
 * 0: an explicit `throw`. 1: an `await` that may be rejected, a `yield` that may be abandoned, a
 * function known to throw. 2: any other call.
 */
export type Tier = 0 | 1 | 2;

export interface LeakCause {
  readonly tier: Tier;
  /**
   * `throws here`, `may be rejected`, `may be abandoned here`: follows the excerpt of the source.
   */
  readonly what: string;
  /** Its generator, or its stream, may be abandoned there: nothing is thrown. */
  readonly isAbandoned?: boolean;
  /** It reports misuse by the caller: `throw new TypeError(…)`. */
  readonly isMisuse?: boolean;
  readonly start: number;
  readonly file: SourceFile;
}

/** The cause of what a generator or a stream leaves behind that is abandoned. */
export const MAY_BE_ABANDONED = {
  tier: 1,
  what: 'may be abandoned here',
  isAbandoned: true,
} as const;
