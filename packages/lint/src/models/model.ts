// The type of resource models: the ownership rules that a library's declarations do not state.

/** A call that acquires a handle. */
export interface AcquireCall {
  /** The function, method or constructor that creates it. */
  readonly call: string;
  /** The call is a constructor, with `new`. */
  readonly construct?: true;
  /** Matches the names of functions that create it, instead of `call`. */
  readonly named?: RegExp;
  /** The types that have the method, as the library names them. */
  readonly on?: readonly string[];
  /** The name of the receiver where its type is unknown. */
  readonly receiver?: RegExp;
  /** Matches the call that the receiver was assigned from, where its type is unknown. */
  readonly receiverFrom?: RegExp;
  /** Where it is undeclared, or only its `receiver` is known: recognized if one of these methods is
   * called on the result. */
  readonly usedFor?: readonly string[];
  /** Where it is undeclared: recognized if the result is passed to all of these functions. */
  readonly passedTo?: readonly RegExp[];
  /** The name is unique: recognized by the name alone where it is undeclared. */
  readonly bare?: true;
  /** Not for a stream that was created next to the call and is not shared. */
  readonly unlessLocal?: true;
  /** Matches the receiver, or the expression that it was assigned from, whatever its type. */
  readonly written?: RegExp;
  /** Which of the model's types it creates, if not the first. */
  readonly type?: string;
  /** It returns a promise. */
  readonly async?: true;
  /** It may return nothing. */
  readonly nullable?: true;
  /** Where in the result the handle is: `['1']` for a pair, `['connection']` for an object. */
  readonly path?: readonly string[];
  /** The handle comes as a parameter of the callback, which is the last argument. */
  readonly callback?: number;
  /** The callback is this property of the first argument, and not the last argument. */
  readonly option?: string;
  /** Another parameter of the callback is a function that releases the handle. */
  readonly releaser?: number;
  /** With a callback it creates nothing: that form releases the handle itself. */
  readonly unlessCallback?: true;
  /** The name is ambiguous: reported only where the function itself releases the result. */
  readonly whenReleased?: true;
  /** Also a project's own function of that name creates one; with `whenReleased`, it may. */
  readonly evenInProject?: true;
  /** It returns `{ done, value }`; there is a handle at `path` until it is done. */
  readonly untilDone?: true;
  /** It returns an array of handles. */
  readonly many?: true;
  /** The call creates a handle only if its arguments contain this text. */
  readonly withText?: RegExp;
}

/** How a call on another object releases a handle: `pool.release(conn)`, `fs.closeSync(fd)`. */
export interface ModelVia {
  /** The name releases no other resource: `commit(connection)`. */
  readonly onlyIts?: true;
  /** The function or method. */
  readonly call: string;
  /** Which argument is the handle, from 0. */
  readonly argument: number;
  /** The name of the receiver where its type is unknown. */
  readonly receiver?: RegExp;
  /** Recognized by its name alone where it is undeclared. */
  readonly bare?: true;
}

/** A function that takes ownership of the handle: `controller.enqueue(frame)`. */
export interface TakingFunction {
  /** The function or method. */
  readonly call: string;
  /** Which argument is the handle, from 0. */
  readonly argument: number;
}

/**
 * A resource: how a library's handles are acquired, used and released. A configuration file can
 * have models of its own.
 */
export interface ResourceModel {
  /** Its id, `preset/name`. */
  readonly id: string;
  /** Packages that declare it; `lib` for the platform. */
  readonly modules: readonly string[];
  /** The type's names. */
  readonly types: readonly string[];
  /** The calls that create a handle. */
  readonly acquire: readonly AcquireCall[];
  /** Any one of these methods releases it. */
  readonly release: readonly string[];
  /** Calls on other objects that release it. */
  readonly via?: readonly ModelVia[];
  /** Functions that take ownership of it. */
  readonly takers?: readonly TakingFunction[];
  /** Functions that only borrow it, wherever it is in their arguments. */
  readonly borrowers?: readonly string[];
  /** Functions that may release it or leave that to their caller: nothing is reported. */
  readonly mayRelease?: readonly string[];
  /** Functions and methods whose result is an alias of it: `String(url)`. */
  readonly carriers?: readonly string[];
  /** Options by which a function only borrows or copies it. */
  readonly borrowedAs?: readonly string[];
  /** The value is a function: calling it releases. */
  readonly mustCall?: true;
  /** A second release does nothing. */
  readonly idempotent?: true;
  /** Methods that start the obligation, where creation does not. */
  readonly starts?: readonly string[];
  /** Methods and properties that may be used after the release. */
  readonly safe?: readonly string[];
  /** Methods that take ownership of the handle they are called on. */
  readonly consumes?: readonly string[];
  /** The value must be released before the object it came from. */
  readonly before?: 'receiver';
  /** The handle may be used after its release. */
  readonly usableAfter?: true;
  /** Methods and properties whose result may release the handle instead. */
  readonly alsoReleasedBy?: readonly string[];
  /** The value is plain data: passing it passes a copy, not the handle. */
  readonly isCopied?: true;
  /** Its release waits for earlier operations. */
  readonly releaseWaits?: true;
  /** Properties and methods whose promise is rejected only when the handle is closed. */
  readonly closedOnReject?: readonly string[];
  /** Methods that detach the handle without ending its resource, which still has to be released. */
  readonly detaches?: readonly string[];
  /** Calling one of these methods on any object may release it: `controller.abort()`. */
  readonly endedBy?: readonly string[];
  /** After a move nothing is left of it here: releasing it is harmless. */
  readonly emptyAfterMove?: true;
  /** The conventional name of the package where it is undeclared: `tf`. */
  readonly namespace?: string;
  /**
   * This method returns `{ done }`: after `done`, or when rejected, there is nothing to release.
   */
  readonly drains?: string;
  /** By releasing method, the members that may be used after it: `read` after `cancel`. */
  readonly answersAfter?: Readonly<Record<string, readonly string[]>>;
  /** It may be released before the end of its scope, which then does nothing. */
  readonly scopeAfterRelease?: true;
  /** Iterating over it to the end or to a `break` releases it. */
  readonly iterates?: true;
  /** Calling one of these on the object that it came from releases it: `mutex.release()`. */
  readonly receiverRelease?: readonly string[];
  /** It is a lock: the code that runs while it is held relies on it. */
  readonly guards?: true;
  /** Matches the text of calls that acquire it for another function to release. */
  readonly handedOff?: RegExp;
  /** Methods of a handle that return another one: `tensor.mul(other)`. */
  readonly creates?: readonly string[];
  /** Functions that release every handle created in their callback and not returned. */
  readonly tidies?: readonly string[];
  /** The effects of a second release, a late use and a leak, as parts of sentences. */
  readonly doubleRelease: string;
  /** A clause: what a use after the release really does. */
  readonly useAfterRelease: string;
  /** A clause: what a leak really does. */
  readonly leak: string;
  /** Off unless enabled by id. */
  readonly optIn?: true;
  /** Verified by a run, read in the library's source or types, or not verified. */
  readonly evidence: 'probed' | 'source' | 'unverified';
}
