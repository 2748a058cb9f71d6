// What the page and the thread of a program say to each other.
import type {
  BuiltChoice,
  BuiltOffer,
  SharedFile,
} from '../../../packages/poundlock/src/explore/index.ts';
import type { Engine } from '../../../packages/poundlock/app/engine.ts';

/** What the thread can be asked for: a program first, then what the page of explore asks. */
export interface Requests {
  /** Before a program is loaded: the WebAssembly that removes its types. */
  readonly stripper: (bytes: Uint8Array) => Promise<void>;
  /** `null` for what has no launches: a program, or the steps of a run. */
  readonly load: (files: readonly SharedFile[], choice: BuiltChoice) => Promise<BuiltOffer | null>;
  /** Makes the kernel of what was loaded. */
  readonly begin: () => Promise<void>;
  readonly kernel: Engine['kernel'];
  readonly state: Engine['state'];
  readonly verdict: Engine['verdict'];
  readonly simulation: Engine['simulation'];
  readonly whatIf: Engine['whatIf'];
  readonly source: Engine['source'];
}

/** One request. */
export interface Request {
  readonly id: number;
  readonly method: keyof Requests;
  readonly args: readonly unknown[];
}

/** Its answer: a value, or a sentence. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };
