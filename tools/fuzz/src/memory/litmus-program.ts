// The form of the litmus programs: what `litmus.mjs` and `random.mjs` are made of.

/** One operation of an agent. */
export interface LitmusOp {
  readonly k:
    | 'R'
    | 'W'
    | 'fence'
    | 'arr'
    | 'wait'
    | 'copy'
    | 'mma'
    | 'commit'
    | 'wg'
    | 'wgwait'
    | 'tld'
    | 'tst'
    | 'twait'
    | 'gwait'
    | 'cpa'
    | 'cpwait'
    | 'cparr'
    | 'named'
    | 'narr'
    | 'sw'
    | 'clarr'
    | 'clwait'
    | 'init'
    | 'dec'
    | 'inc'
    | 'trigger'
    | 'gridwait';
  /** A location, a barrier, and the locations that asynchronous work reads and writes. */
  readonly l?: string;
  readonly b?: string;
  readonly r?: readonly string[];
  readonly w?: readonly string[];
  readonly map?: string;
  /** The strands that make it. */
  readonly by?: readonly number[];
  readonly f?: string;
  readonly sem?: 'rlx';
  readonly sc?: 'cta' | 'cluster' | 'gpu';
  readonly ph?: number;
  readonly tx?: number;
  readonly bytes?: number;
  readonly n?: number;
  readonly g?: boolean;
  readonly read?: boolean;
  readonly team?: boolean;
  readonly w0?: 'ld' | 'st';
  readonly bid?: number;
  readonly threads?: number;
  readonly aligned?: boolean;
  /** Of the agent: its strands and its CTA. */
  readonly strands?: number;
  readonly here?: number;
}

export interface LitmusAgent {
  readonly n: string;
  readonly ops: readonly LitmusOp[];
  readonly cta?: number;
  readonly grid?: number;
  readonly strands?: number;
  readonly threads?: number;
  readonly regs?: number;
}

/** A litmus program with the verdicts that it must get. */
export interface LitmusProgram {
  readonly id: string;
  readonly mem?: Readonly<
    Record<
      string,
      {
        readonly space?: 'tm' | 'gl' | 'reg' | 'map';
        readonly cta?: number;
        readonly at?: number;
        readonly bytes?: number;
      }
    >
  >;
  readonly bars?: Readonly<Record<string, { readonly n?: number; readonly cta?: number }>>;
  readonly agents: readonly LitmusAgent[];
  readonly multi?: boolean;
  readonly begin?: boolean;
  /** The rule that is broken in the profile `practice`, or `ok`; and in `isa`, if it differs. */
  readonly want?: string;
  readonly isa?: string;
}
