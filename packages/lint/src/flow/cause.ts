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
  /** It reports misuse by the caller: `throw new TypeError(…)`. */
  readonly isMisuse?: boolean;
  readonly start: number;
  readonly file: SourceFile;
}
