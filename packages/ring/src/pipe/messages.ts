// What the thread of a stage gets, and what it posts.
import type { TransferredRing } from '../ring.ts';
import type { ItemSchema } from './codec.ts';

/** The work of one thread. */
export interface StageJob {
  readonly pipe: string;
  readonly stage: string;
  readonly module: string;
  readonly from: TransferredRing<ItemSchema>;
  readonly to: TransferredRing<ItemSchema>;
  /** Whether each item must have one result, or a mark that it has none. */
  readonly isOrdered: boolean;
}

/** The end of a thread's work. Without an error, another thread's failure or its end ended it. */
export type StageReport =
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly error: unknown; readonly name: string };
