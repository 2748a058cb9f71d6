// What a type or a function promises about ownership, wherever that is said: tags, models, bodies.

/** A way to release something through another object: `pool.giveBack(conn)`. */
export interface ReleaseVia {
  readonly owner: string | undefined;
  readonly name: string;
  readonly argument: number;
  /** Nothing but handles whose contract has it is released so. */
  readonly isOnlyFor?: string;
}

/** What a value of a type must have happen to it. */
export interface Contract {
  /** A model's id (`pg.poolClient`), or the type's name. */
  readonly id: string;
  readonly typeName: string;
  /** Any one of these methods releases. Empty for values that are released only by being called. */
  readonly release: readonly string[];
  readonly via: readonly ReleaseVia[];
  /** The value is a function that must be called once. */
  readonly mustCall: boolean;
  /** Releasing twice is harmless. */
  readonly idempotent: boolean;
  /** Obligations start at these methods; empty when they start at creation. */
  readonly starts: readonly string[];
  /** The methods and properties that may be used after release. */
  readonly safe: ReadonlySet<string>;
  readonly nothrow: ReadonlySet<string>;
  /** Methods that move the value somewhere else, as by-value methods of WebAssembly do. */
  readonly consumes: ReadonlySet<string>;
  /** Methods and properties whose result may release it in its place. */
  readonly alsoReleasedBy: ReadonlySet<string>;
  /** The value is plain data: whoever is given it has a copy, and not the handle. */
  readonly isCopied: boolean;
  /** Its release waits for what it was asked to do before. */
  readonly releaseWaits: boolean;
  /** Properties and methods whose promise is rejected only when nothing is left of the handle. */
  readonly closedOnReject: ReadonlySet<string>;
  /** Methods that let go of it, and leave what it stands for to be ended all the same. */
  readonly detaches: ReadonlySet<string>;
  /** Whatever has one of these methods may end it when it is called. */
  readonly endedBy: ReadonlySet<string>;
  /** Once it was given away, nothing is left of it here: releasing that does no harm. */
  readonly emptyAfterMove: boolean;
  /** Functions that only look at it, wherever in their arguments it is. */
  readonly borrowers: ReadonlySet<string>;
  /** Functions that may end it, or leave that to whoever gave it to them. */
  readonly mayRelease: ReadonlySet<string>;
  /** Functions and methods whose result stands for it. */
  readonly carriers: ReadonlySet<string>;
  /** Options under which a function only looks at it, or copies it. */
  readonly borrowedAs: ReadonlySet<string>;
  /** This method answers `{ done }`: after `done`, or when it is rejected, nothing is left. */
  readonly drains: string | undefined;
  /** Iterating over it releases it. */
  readonly iterates: boolean;
  /** Calling one of these on what it came from releases it. */
  readonly receiverRelease: readonly string[];
  /** What goes on while it is held relies on it: a lock. */
  readonly guards: boolean;
  /** What a call is written like that takes it for others to let go of. */
  readonly handedOff: RegExp | undefined;
  /** Methods that answer another handle of this kind. */
  readonly creates: ReadonlySet<string>;
  /** In callbacks of these functions it releases itself. */
  readonly tidies: readonly string[];
  /** Using it after release is no finding: nothing bad happens. */
  readonly usableAfter: boolean;
  /** What a second release, a late use and a leak really do: halves of sentences. */
  readonly doubleRelease: string | undefined;
  readonly useAfterRelease: string | undefined;
  readonly leakEffect: string | undefined;
  /** A handle of a pipeline: its leak is `leaked-stage`. */
  readonly isStage: boolean;
}

export type Ownership = 'owned' | 'borrowed';

/** Which argument, and which part of it: `owned o.handle` is the path `['handle']`. */
export interface ParameterRule {
  readonly ownership: Ownership;
  readonly path: readonly string[];
}

/** What a function promises beyond its types. */
export interface FunctionContract {
  readonly throws: 'never' | 'may' | undefined;
  /** By parameter name. */
  readonly parameters: ReadonlyMap<string, ParameterRule>;
  readonly returns: Ownership | { readonly alias: string } | undefined;
  /** Its result must be called. */
  readonly mustCall: boolean;
  readonly never: boolean;
  readonly exits: boolean;
  readonly startsObligation: boolean;
  readonly safeAfterRelease: boolean;
  readonly releaseBefore: string | undefined;
  /** Calls its callback before it returns, once. */
  readonly callsNow: boolean;
  /** Keeps its callback and calls it after it has returned. */
  readonly callsLater: boolean;
}

export const NO_PROMISES: FunctionContract = {
  throws: undefined,
  parameters: new Map(),
  returns: undefined,
  mustCall: false,
  never: false,
  exits: false,
  startsObligation: false,
  safeAfterRelease: false,
  releaseBefore: undefined,
  callsNow: false,
  callsLater: false,
};

const EMPTY: ReadonlySet<string> = new Set();

/** A contract with the parts that are not said left at their defaults. */
export function makeContract(
  contract: Pick<Contract, 'id' | 'typeName'> & Partial<Contract>,
): Contract {
  return {
    release: [],
    via: [],
    mustCall: false,
    idempotent: false,
    starts: [],
    safe: EMPTY,
    nothrow: EMPTY,
    consumes: EMPTY,
    alsoReleasedBy: EMPTY,
    isCopied: false,
    emptyAfterMove: false,
    releaseWaits: false,
    closedOnReject: EMPTY,
    detaches: EMPTY,
    endedBy: EMPTY,
    borrowers: EMPTY,
    mayRelease: EMPTY,
    carriers: EMPTY,
    borrowedAs: EMPTY,
    drains: undefined,
    iterates: false,
    receiverRelease: [],
    guards: false,
    handedOff: undefined,
    creates: EMPTY,
    tidies: [],
    usableAfter: false,
    doubleRelease: undefined,
    useAfterRelease: undefined,
    leakEffect: undefined,
    isStage: false,
    ...contract,
  };
}

/** Whether a text says something that may release such a handle. */
export function mayRelease(
  text: string,
  ways: { readonly release: readonly string[]; readonly receiverRelease?: readonly string[] },
): boolean {
  const { release, receiverRelease = [] } = ways;
  return (
    release.some((name) => text.includes(`.${name}`)) ||
    receiverRelease.some((name) => text.includes(name))
  );
}
