// What `explain` shows of a rule.
import type { RuleId } from '../rule.ts';

/**
 * The explanation of a rule. `rejected` and `fix` are whole program texts: checking the first shows
 * the rule, checking the second is certified. Tests hold both.
 */
export interface Page {
  readonly rule: RuleId;
  /** What happens, in a few words. */
  readonly title: string;
  /** Two to four sentences, with the why. */
  readonly what: string;
  readonly rejected: string;
  readonly fix: string;
  /** The same of sources, where `lint` tells the rule of what no schedule shows. */
  readonly ofSources?: { readonly rejected: string; readonly fix: string };
  readonly seeAlso: readonly RuleId[];
}
