// The core language: what is left of a function when only ownership is looked at. Lowering writes
// it, the calculus judges it, and tests execute it.

/** Where an operation stands in the sources; the calculus only passes it on. */
export interface At {
  readonly start: number;
  readonly end: number;
  readonly file: unknown;
}

/** A variable, a part of `this`, or a temporary value. */
export type Place = string;

/** What is between the braces of a condition: exact tests of places and facts, and unknown ones. */
export type Condition =
  | { readonly k: 'any' }
  /** Whether the place holds something. */
  | { readonly k: 'held'; readonly x: Place }
  /** Whether a list has elements. */
  | { readonly k: 'filled'; readonly x: Place }
  /** A value that does not change, or a flag that is set to constants. */
  | { readonly k: 'fact'; readonly name: string }
  | { readonly k: 'constant'; readonly value: boolean }
  | { readonly k: 'not'; readonly of: Condition }
  /** `isAnd`: the right side is evaluated where the left one is true; else where it is false. */
  | {
      readonly k: 'both';
      readonly isAnd: boolean;
      readonly left: Condition;
      readonly right: Condition;
    }
  /** Evaluates its operations first. */
  | { readonly k: 'after'; readonly body: readonly Step[]; readonly of: Condition };

/** An operation with its place. */
export type Step = Operation & { readonly at: At };

/** How much of a container leaves it, and from where. */
export type Taken = 'first' | 'last' | 'some';

export type Operation =
  /** `x = acquire()`: owned here, or another owner's. */
  | {
      readonly k: 'acquire';
      readonly x: Place;
      readonly owned: boolean;
      readonly nullable: boolean;
      /** A handle, a list of any number of them, or one that releases what is put into it. */
      readonly form: 'one' | 'list' | 'stack';
      readonly throws: boolean;
      /** What has to be released after it. */
      readonly before: readonly Place[];
    }
  | { readonly k: 'copy'; readonly x: Place; readonly y: Place }
  | { readonly k: 'clear'; readonly xs: readonly Place[] }
  /** A declaration that is executed: closures of an earlier round lose the variable. */
  | { readonly k: 'declare'; readonly x: Place }
  /** Looks at a part of it that has no identity: `x.length`. */
  | { readonly k: 'read'; readonly y: Place }
  | { readonly k: 'use'; readonly ys: readonly Place[]; readonly throws: boolean }
  | { readonly k: 'release'; readonly y: Place }
  /** Consumes y, also when it throws, and gives a new handle. */
  | {
      readonly k: 'next';
      readonly x: Place;
      readonly y: Place;
      readonly throws: boolean;
      readonly nullable: boolean;
    }
  /** `x = y.view`: lives as long as every y; `lends`: a promise, which lends them. */
  | {
      readonly k: 'view';
      readonly x: Place;
      readonly ys: readonly Place[];
      readonly lends: boolean;
      readonly throws: boolean;
      /** By its type it is a handle of another owner, also where nothing is known of any y. */
      readonly outside: Outside;
      /** By its type it may be nothing. */
      readonly nullable: boolean;
    }
  /** A promise of a handle that is owed, and lends what is needed to get it. */
  | {
      readonly k: 'promise';
      readonly x: Place;
      readonly ys: readonly Place[];
      readonly throws: boolean;
      readonly nullable: boolean;
    }
  | {
      readonly k: 'await';
      readonly x: Place;
      readonly y: Place | undefined;
      readonly throws: boolean;
      /** By its type there may be no promise; else one is there of which nothing is known. */
      readonly nullable: boolean;
      /** The result may be a view of what was borrowed. */
      readonly isView: boolean;
      /** By its type the result may be nothing. */
      readonly optional: boolean;
    }
  /** Awaits every element of a list. */
  | { readonly k: 'awaitAll'; readonly x: Place; readonly y: Place; readonly isView: boolean }
  | {
      readonly k: 'call';
      readonly x: Place;
      readonly f: unknown;
      readonly args: readonly Place[];
      readonly isAwaited: boolean;
      readonly result: Outcome;
      /** `new`: an object that is owed, or a view of what it keeps. */
      readonly makes: 'owned' | 'view' | undefined;
    }
  /** Outcome to a callee without a body: what is only a view is borrowed, anything else unknown. */
  | { readonly k: 'pass'; readonly ys: readonly Place[]; readonly why: string }
  /** A callee whose effect on what it gets is unknown. */
  | { readonly k: 'unknown'; readonly ys: readonly Place[]; readonly why: string }
  /** Not understood; with places, only where one of them holds something. */
  | { readonly k: 'refuse'; readonly ys: readonly Place[] | undefined; readonly why: string }
  | {
      readonly k: 'flag';
      readonly name: string;
      /** `undefined`: not known yet. */
      readonly value: boolean | 'unknown' | undefined;
    }
  | {
      readonly k: 'if';
      readonly test: Condition;
      readonly then: readonly Step[];
      readonly otherwise: readonly Step[];
    }
  /** Repeats until a jump leaves it. */
  | { readonly k: 'loop'; readonly body: readonly Step[] }
  /** What `jump` to its label leaves. */
  | { readonly k: 'block'; readonly label: string; readonly body: readonly Step[] }
  | { readonly k: 'jump'; readonly label: string }
  | {
      readonly k: 'try';
      readonly body: readonly Step[];
      readonly handler: readonly Step[] | undefined;
      readonly finalizer: readonly Step[] | undefined;
    }
  /** `using x`: what x holds is released at the end, however it ends. */
  | {
      readonly k: 'using';
      readonly x: Place;
      readonly body: readonly Step[];
      readonly waits: boolean;
    }
  | { readonly k: 'return'; readonly y: Place | undefined }
  | { readonly k: 'throw' }
  /** Outcome to the code that runs the generator; it may be abandoned here. */
  | { readonly k: 'yield'; readonly y: Place | undefined }
  /** `{ a, b }`, `[a, b]`: `undefined` is nothing. */
  | {
      readonly k: 'record';
      readonly x: Place;
      readonly parts: readonly (readonly [string, Place])[];
      readonly isList: boolean;
    }
  | {
      readonly k: 'part';
      readonly x: Place;
      readonly y: Place;
      readonly name: string;
      readonly outside: Outside;
      /** By its type it may be nothing. */
      readonly nullable: boolean;
    }
  | { readonly k: 'setPart'; readonly y: Place; readonly name: string; readonly value: Place }
  | { readonly k: 'dropPart'; readonly y: Place; readonly name: string }
  /** Any element of a container: borrowed, or nothing. */
  | { readonly k: 'element'; readonly x: Place; readonly y: Place }
  | { readonly k: 'push'; readonly c: Place; readonly y: Place; readonly isFirst: boolean }
  /** Puts something under a key that is not known: it may be there already. */
  | {
      readonly k: 'putUnder';
      readonly c: Place;
      readonly y: Place;
      /** The variable that is the key, which never has a value again. */
      readonly key: Place | undefined;
    }
  /** A variable has a value that it never had since it was declared. */
  | { readonly k: 'advance'; readonly x: Place }
  | { readonly k: 'take'; readonly x: Place; readonly c: Place; readonly which: Taken }
  /** `x = c.splice(from)`. */
  | { readonly k: 'takeAll'; readonly x: Place; readonly c: Place; readonly from: number }
  /** Forgets all elements. */
  | { readonly k: 'empty'; readonly c: Place }
  /** Once for each element, which is owned by the round where that is needed. */
  | {
      readonly k: 'each';
      readonly x: Place;
      readonly c: Place;
      readonly body: readonly Step[];
      /** The elements are in no other list: they were taken out of it. */
      readonly isTaken: boolean;
    }
  /** A function value with what it captures: by value, and variables that change. */
  | {
      readonly k: 'closure';
      readonly x: Place;
      readonly f: unknown;
      readonly values: readonly Place[];
      readonly variables: readonly Place[];
    }
  /** Calls a function value. */
  | {
      readonly k: 'invoke';
      readonly x: Place;
      readonly f: Place;
      readonly args: readonly Place[];
      readonly isAwaited: boolean;
      readonly throws: boolean;
      /** Owned arguments, by the type of a function from outside. */
      readonly owned: readonly (boolean | undefined)[] | undefined;
      /** What the type of the result says. */
      readonly result: Outcome;
    }
  /** Gives a value away; a function to be called exactly once, or as often as anyone likes. */
  | { readonly k: 'give'; readonly y: Place; readonly isOnce: boolean };

/** What is there where nothing is known of what it is a part of. */
export type Outside = 'nothing' | 'handle' | 'optional' | 'promise';

/** What a callee without a body gives. */
export type Outcome = 'nothing' | 'view' | 'owned' | 'optional';

/** A function of the core language. */
export interface CoreFunction {
  readonly parameters: readonly Parameter[];
  readonly body: readonly Step[];
  readonly isAsync: boolean;
  readonly isGenerator: boolean;
  /** The first parameter is `this`. */
  readonly isMethod: boolean;
  /** Parts of `this` that the object owns. */
  readonly fields: readonly Field[];
  /** The object ends with the method: what is gone may stay in its fields. */
  readonly endsObject: boolean;
  /** The object begins with the method. */
  readonly startsObject: boolean;
  /** Places that end with the function. */
  readonly locals: readonly Place[];
  /** Flags that the body sets. */
  readonly flags: readonly string[];
  readonly at: At;
}

export interface Parameter {
  readonly place: Place;
  /** `handle`: something that has to be released; `many`: a container of it. */
  /** `open`: of a type that says nothing. */
  readonly holds: 'handle' | 'many' | 'plain' | 'open';
  /** What a tag says. */
  readonly owned: boolean | undefined;
}

export interface Field {
  readonly place: Place;
  readonly holds: 'handle' | 'many';
  readonly nullable: boolean;
}

/** A value as a function gives it: numbers are parameters. */
export type Result =
  | { readonly k: 'null' }
  /** Another owner's, who is no parameter. */
  | { readonly k: 'borrowed' }
  | {
      readonly k: 'own';
      /** It is a promise of a handle. */
      readonly promises: 'owned' | 'optional' | undefined;
      /** Parameters that it needs. */
      readonly of: readonly number[];
    }
  | { readonly k: 'alias'; readonly of: number }
  | { readonly k: 'view'; readonly of: readonly number[]; readonly lends: boolean }
  | {
      readonly k: 'record';
      readonly parts: readonly (readonly [string, Result])[];
      readonly isList: boolean;
    }
  | { readonly k: 'many' };

/** What callers of a function may rely on. */
export interface Summary {
  readonly owned: readonly boolean[];
  /** The function keeps what it borrows, or a view of it. */
  readonly keeps: readonly boolean[];
  readonly results: readonly Result[];
  readonly throws: boolean;
  readonly waits: boolean;
  readonly isAsync: boolean;
  /** What a generator yields. */
  readonly yields: 'nothing' | 'own' | 'view' | undefined;
  /** Puts something into a list that it borrows. */
  readonly fills: readonly boolean[];
  /** Passes something of an open type to a callee that may do anything with it. */
  readonly passes: readonly boolean[];
}
