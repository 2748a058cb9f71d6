// Ownership contracts of types and functions, from tags, models and inference.

/** A way to release something through another object: `pool.giveBack(conn)`. */
export interface ReleaseVia {
  readonly owner: string | undefined;
  readonly name: string;
  readonly argument: number;
  /** The method releases only handles of contracts that list it. */
  readonly isOnlyFor?: string;
}

/** The obligations of a value of a type. */
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
  /** Where a consuming method has moved it, the end of its scope does nothing. */
  readonly leavesScope: boolean;
  /** Methods and properties whose result may release the handle instead. */
  readonly alsoReleasedBy: ReadonlySet<string>;
  /** The value is plain data: passing it passes a copy, not the handle. */
  readonly isCopied: boolean;
  /** Its release waits for earlier operations. */
  readonly releaseWaits: boolean;
  /** Properties and methods whose promise is rejected only when the handle is closed. */
  readonly closedOnReject: ReadonlySet<string>;
  /** Methods that detach the handle without ending its resource, which still has to be released. */
  readonly detaches: ReadonlySet<string>;
  /** Calling one of these methods on any object may release it. */
  readonly endedBy: ReadonlySet<string>;
  /** After a move nothing is left of it here: releasing it is harmless. */
  readonly emptyAfterMove: boolean;
  /** It is still there when the process has ended. */
  readonly outlivesProcess: boolean;
  /** After a call of one of these functions anywhere, its process ends it at its own end. */
  readonly endedAtExitBy: readonly string[];
  /** Where nothing releases it, it is meant to go on. */
  readonly isOpenEnded: boolean;
  /** Why a leak is no error. */
  readonly mildLeak: 'memory' | 'listener' | 'collected' | undefined;
  /** Functions that only borrow it, wherever it is in their arguments. */
  readonly borrowers: ReadonlySet<string>;
  /** Functions that may release it or leave that to their caller. */
  readonly mayRelease: ReadonlySet<string>;
  /** Functions and methods whose result is an alias of it. */
  readonly carriers: ReadonlySet<string>;
  /** Options by which a function only borrows or copies it. */
  readonly borrowedAs: ReadonlySet<string>;
  /**
   * This method returns `{ done }`: after `done`, or when rejected, there is nothing to release.
   */
  readonly drains: string | undefined;
  /** By releasing method, the members that may be used after it. */
  readonly answersAfter: ReadonlyMap<string, ReadonlySet<string>>;
  /** It may be released before the end of its scope, which then does nothing. */
  readonly scopeAfterRelease: boolean;
  /** Iterating over it releases it. */
  readonly iterates: boolean;
  /** Calling one of these on the object that it came from releases it. */
  readonly receiverRelease: readonly string[];
  /** It is a lock: the code that runs while it is held relies on it. */
  readonly guards: boolean;
  /** Matches the text of calls that acquire it for another function to release. */
  readonly handedOff: RegExp | undefined;
  /** Methods that return another handle of this kind. */
  readonly creates: ReadonlySet<string>;
  /** In callbacks of these functions it is released automatically. */
  readonly tidies: readonly string[];
  /** Using it after release is harmless and not reported. */
  readonly usableAfter: boolean;
  /** The effects of a second release, a late use and a leak, as parts of sentences. */
  readonly doubleRelease: string | undefined;
  readonly useAfterRelease: string | undefined;
  readonly leakEffect: string | undefined;
  /** A handle of a pipeline: its leak is `leaked-stage`. */
  readonly isStage: boolean;
  /** Only a symbol or a method of the type suggests it: no tag and no model states it. */
  readonly isStructural: boolean;
  /** A resource model states it. */
  readonly isModel: boolean;
  /** Only what a class of the project holds and releases suggests it. */
  readonly isInferred: boolean;
  /** The project declares the type. */
  readonly isOfProject: boolean;
  /** Its values are in the sound tier wherever they are. */
  readonly isLinear: boolean;
}

export type OwnershipKind = 'owned' | 'borrowed';

/** Which argument, and which part of it: `owned o.handle` is the path `['handle']`. */
export interface ParameterRule {
  readonly ownership: OwnershipKind;
  readonly path: readonly string[];
}

/** The ownership contract of a function. */
export interface FunctionContract {
  readonly throws: 'never' | 'may' | undefined;
  /** By parameter name. */
  readonly parameters: ReadonlyMap<string, ParameterRule>;
  readonly returns: OwnershipKind | { readonly alias: string } | undefined;
  /** Its result must be called. */
  readonly mustCall: boolean;
  readonly never: boolean;
  readonly exits: boolean;
  readonly startsObligation: boolean;
  readonly safeAfterRelease: boolean;
  /** The method consumes the object that it is called on. */
  readonly consumes: boolean;
  /** The result is released together with this object. */
  readonly releasedWith: string | undefined;
  readonly releaseBefore: string | undefined;
  /** Calls its callback before it returns, once. */
  readonly callsNow: boolean;
  /** Stores its callback and calls it after it has returned. */
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
  consumes: false,
  releasedWith: undefined,
  releaseBefore: undefined,
  callsNow: false,
  callsLater: false,
};

const EMPTY: ReadonlySet<string> = new Set();
const NO_ANSWERS: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** A contract with defaults for the parts that are not specified. */
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
    leavesScope: false,
    alsoReleasedBy: EMPTY,
    isCopied: false,
    emptyAfterMove: false,
    outlivesProcess: false,
    endedAtExitBy: [],
    isOpenEnded: false,
    mildLeak: undefined,
    releaseWaits: false,
    closedOnReject: EMPTY,
    detaches: EMPTY,
    endedBy: EMPTY,
    borrowers: EMPTY,
    mayRelease: EMPTY,
    carriers: EMPTY,
    borrowedAs: EMPTY,
    drains: undefined,
    scopeAfterRelease: false,
    answersAfter: NO_ANSWERS,
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
    isStructural: false,
    isModel: false,
    isInferred: false,
    isOfProject: false,
    isLinear: false,
    ...contract,
  };
}

/** Whether a text mentions a method that may release such a handle. */
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
