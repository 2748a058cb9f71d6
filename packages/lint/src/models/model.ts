// A resource model: what a library's own declarations do not say about its handles.

/** How a call creates a handle: a part of a {@link ResourceModel}. */
export interface Acquire {
  /** The function, method or constructor that creates it. */
  readonly call: string;
  /** The call is a constructor, with `new`. */
  readonly construct?: true;
  /** What is called so creates it, whatever `call` says. */
  readonly named?: RegExp;
  /** The types that have the method, as the library names them. */
  readonly on?: readonly string[];
  /** What the receiver is called where its type is unknown. */
  readonly receiver?: RegExp;
  /** Where nobody declares it, or only its `receiver` is known: recognised by one of these methods
   * that the result is used for. */
  readonly usedFor?: readonly string[];
  /** Where nobody declares it: recognised by all of these functions that the result is given to. */
  readonly givenTo?: readonly RegExp[];
  /** Nothing else is called so: recognised by its name alone where nobody declares it. */
  readonly bare?: true;
  /** Not of a stream that was made beside the call: nobody else has that. */
  readonly unlessOwn?: true;
  /** What the receiver must be called, or stand for, whatever its type. */
  readonly written?: RegExp;
  /** Which of the model's types it creates, if not the first. */
  readonly type?: string;
  /** It answers a promise. */
  readonly async?: true;
  /** It may answer nothing. */
  readonly nullable?: true;
  /** Where in the result the handle is: `['1']` for a pair, `['connection']` for an object. */
  readonly path?: readonly string[];
  /** The handle comes as a parameter of the callback, which is the last argument. */
  readonly callback?: number;
  /** The callback is this property of the first argument, and not the last argument. */
  readonly option?: string;
  /** Another parameter of the callback is a function that releases the handle. */
  readonly releaser?: number;
  /** With a callback it creates nothing: that form ends the handle itself. */
  readonly unlessCallback?: true;
  /** The name alone says little: claimed only where the function itself releases the result. */
  readonly whenReleased?: true;
  /** Also a project's own function of that name creates one; with `whenReleased`, it may. */
  readonly evenOwn?: true;
  /** It answers `{ done, value }`, and nothing once it is done; `path` says where it is then. */
  readonly untilDone?: true;
  /** It answers an array of them. */
  readonly many?: true;
  /** The call creates a handle only if its arguments contain this text. */
  readonly withText?: RegExp;
}

/** How a call on another object releases a handle: `pool.release(conn)`, `fs.closeSync(fd)`. */
export interface ModelVia {
  /** The name releases nothing else: `commit(connection)`. */
  readonly onlyIts?: true;
  /** The function or method. */
  readonly call: string;
  /** Which argument is the handle, from 0. */
  readonly argument: number;
  /** The name of the receiver where its type is unknown. */
  readonly receiver?: RegExp;
  /** Recognised by its name alone where nobody declares it. */
  readonly bare?: true;
}

/** A function that takes ownership of the handle: `controller.enqueue(frame)`. */
export interface Taker {
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
  readonly acquire: readonly Acquire[];
  /** Any one of these methods releases it. */
  readonly release: readonly string[];
  /** Calls on other objects that release it. */
  readonly via?: readonly ModelVia[];
  /** Functions that take ownership of it. */
  readonly takers?: readonly Taker[];
  /** Functions that only look at it, wherever in their arguments it is. */
  readonly borrowers?: readonly string[];
  /** Functions that may end it, or leave that to whoever gave it to them: nothing is claimed. */
  readonly enders?: readonly string[];
  /** Functions and methods whose result stands for it: `String(url)`. */
  readonly carriers?: readonly string[];
  /** Options under which a function only looks at it, or copies it. */
  readonly lentAs?: readonly string[];
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
  /** Methods and properties whose result may release it in its place. */
  readonly heirs?: readonly string[];
  /** The value is plain data: whoever is given it has a copy, and not the handle. */
  readonly isCopied?: true;
  /** Its release waits for what it was asked to do before. */
  readonly finishes?: true;
  /** Properties and methods whose promise is rejected only when nothing is left of the handle. */
  readonly fates?: readonly string[];
  /** Methods that let go of it, and leave what it stands for to be ended all the same. */
  readonly lets?: readonly string[];
  /** Whatever has one of these methods may end it when it is called: `controller.abort()`. */
  readonly endedBy?: readonly string[];
  /** Once it was given away, nothing is left of it here: releasing that does no harm. */
  readonly leavesEmpty?: true;
  /** What the package is called where nothing says what a name is: `tf`. */
  readonly namespace?: string;
  /** This method answers `{ done }`: after `done`, or when it is rejected, nothing is left. */
  readonly drains?: string;
  /** Iterating over it to the end or to a `break` releases it. */
  readonly iterates?: true;
  /** Calling one of these on what it came from releases it: `mutex.release()`. */
  readonly receiverRelease?: readonly string[];
  /** What goes on while it is held relies on it: a lock. */
  readonly guards?: true;
  /** What says, before the call's parenthesis, that it is taken for others to let go of. */
  readonly heldOn?: RegExp;
  /** Methods of a handle that answer another one: `tensor.mul(other)`. */
  readonly makes?: readonly string[];
  /** A function in whose callback everything that is made and not returned is released. */
  readonly tidies?: readonly string[];
  /** Halves of sentences: what a second release, a late use and a leak really do. */
  readonly doubleRelease: string;
  /** A clause: what a use after the release really does. */
  readonly useAfterRelease: string;
  /** A clause: what a leak really does. */
  readonly leak: string;
  /** Off unless asked for by id. */
  readonly optIn?: true;
  /** probed on the real thing, read in its source or types, or general knowledge not verified. */
  readonly evidence: 'probed' | 'source' | 'unverified';
}
