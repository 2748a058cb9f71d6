// The type of resource models: the ownership rules that a library's declarations do not state.
import { option, optionTable, requireOptions } from '@poundlock/core/internal/base';
import type { OptionsOf, OptionValue } from '@poundlock/core/internal/base';

/** A field that is there or not. */
const only: OptionValue<true> = {
  accepts: (value): value is true => value === true,
  must: 'true, or left out',
};

const ACQUIRE_CALL = optionTable({
  /** The function, method or constructor that creates it. */
  call: option.text,
  /** The call is a constructor, with `new`. */
  construct: only,
  /** Matches the names of functions that create it, instead of `call`. */
  named: option.checkedLater<RegExp>(),
  /** The types that have the method, as the library names them. */
  on: option.checkedLater<readonly string[]>(),
  /** The name of the receiver where its type is unknown. */
  receiver: option.checkedLater<RegExp>(),
  /** Matches the call that the receiver was assigned from, where its type is unknown. */
  receiverFrom: option.checkedLater<RegExp>(),
  /** Where it is undeclared, or only its `receiver` is known: recognized if one of these methods is
   * called on the result. */
  usedFor: option.checkedLater<readonly string[]>(),
  /** Where it is undeclared: recognized if the result is passed to all of these functions. */
  passedTo: option.checkedLater<readonly RegExp[]>(),
  /** The name is unique: recognized by the name alone where it is undeclared. */
  bare: only,
  /** Not for a stream that was created next to the call and is not shared. */
  unlessLocal: only,
  /** Matches the receiver, or the expression that it was assigned from, whatever its type. */
  written: option.checkedLater<RegExp>(),
  /** Which of the model's types it creates, if not the first. */
  type: option.text,
  /** It returns a promise. */
  async: only,
  /** It may return nothing. */
  nullable: only,
  /** Where in the result the handle is: `['1']` for a pair, `['connection']` for an object. */
  path: option.checkedLater<readonly string[]>(),
  /** The handle comes as a parameter of the callback, which is the last argument. */
  callback: option.amount,
  /** The callback is this property of the first argument, and not the last argument. */
  option: option.text,
  /** Another parameter of the callback is a function that releases the handle. */
  releaser: option.amount,
  /** With a callback it creates nothing: that form releases the handle itself. */
  unlessCallback: only,
  /** The name is ambiguous: reported only where the function itself releases the result. */
  whenReleased: only,
  /** Also a project's own function of that name creates one; with `whenReleased`, it may. */
  evenInProject: only,
  /** It returns `{ done, value }`; there is a handle at `path` until it is done. */
  untilDone: only,
  /** It returns an array of handles. */
  many: only,
  /** The call creates a handle only if its arguments contain this text. */
  withText: option.checkedLater<RegExp>(),
});

/** A call that acquires a handle. */
export interface AcquireCall extends OptionsOf<typeof ACQUIRE_CALL, 'call'> {}

const VIA = optionTable({
  /** The name releases no other resource: `commit(connection)`. */
  onlyIts: only,
  /** The function or method. */
  call: option.text,
  /** Which argument is the handle, from 0. */
  argument: option.amount,
  /** The name of the receiver where its type is unknown. */
  receiver: option.checkedLater<RegExp>(),
  /** Recognized by its name alone where it is undeclared. */
  bare: only,
});

/** How a call on another object releases a handle: `pool.release(conn)`, `fs.closeSync(fd)`. */
export interface ModelVia extends OptionsOf<typeof VIA, 'call' | 'argument'> {}

const TAKER = optionTable({
  /** The function or method. */
  call: option.text,
  /** Which argument is the handle, from 0. */
  argument: option.amount,
});

/** A function that takes ownership of the handle: `controller.enqueue(frame)`. */
export interface TakingFunction extends OptionsOf<typeof TAKER, 'call' | 'argument'> {}

const MODEL = optionTable({
  /** Its id, `preset/name`. */
  id: option.text,
  /** Packages that declare it; `lib` for the platform. */
  modules: option.checkedLater<readonly string[]>(),
  /** The type's names. */
  types: option.checkedLater<readonly string[]>(),
  /** The calls that create a handle. */
  acquire: option.checkedLater<readonly AcquireCall[]>(),
  /** Any one of these methods releases it. */
  release: option.checkedLater<readonly string[]>(),
  /** Calls on other objects that release it. */
  via: option.checkedLater<readonly ModelVia[]>(),
  /** Functions that take ownership of it. */
  takers: option.checkedLater<readonly TakingFunction[]>(),
  /** Functions that only borrow it, wherever it is in their arguments. */
  borrowers: option.checkedLater<readonly string[]>(),
  /** Functions that may release it or leave that to their caller: nothing is reported. */
  mayRelease: option.checkedLater<readonly string[]>(),
  /** Functions and methods whose result is an alias of it: `String(url)`. */
  carriers: option.checkedLater<readonly string[]>(),
  /** Options by which a function only borrows or copies it. */
  borrowedAs: option.checkedLater<readonly string[]>(),
  /** The value is a function: calling it releases. */
  mustCall: only,
  /** A second release does nothing. */
  idempotent: only,
  /** Methods that start the obligation, where creation does not. */
  starts: option.checkedLater<readonly string[]>(),
  /** Methods and properties that may be used after the release. */
  safe: option.checkedLater<readonly string[]>(),
  /** Methods that take ownership of the handle they are called on. */
  consumes: option.checkedLater<readonly string[]>(),
  /** The value must be released before the object it came from. */
  before: option.oneOf('receiver'),
  /** The handle may be used after its release. */
  usableAfter: only,
  /** Methods and properties whose result may release the handle instead. */
  alsoReleasedBy: option.checkedLater<readonly string[]>(),
  /** The value is plain data: passing it passes a copy, not the handle. */
  isCopied: only,
  /** Its release waits for earlier operations. */
  releaseWaits: only,
  /** Properties and methods whose promise is rejected only when the handle is closed. */
  closedOnReject: option.checkedLater<readonly string[]>(),
  /** Methods that detach the handle without ending its resource, which still has to be released. */
  detaches: option.checkedLater<readonly string[]>(),
  /** Calling one of these methods on any object may release it: `controller.abort()`. */
  endedBy: option.checkedLater<readonly string[]>(),
  /** After a move nothing is left of it here: releasing it is harmless. */
  emptyAfterMove: only,
  /** It is still there when the process has ended: a file, another process. */
  outlivesProcess: only,
  /** After a call of one of these functions anywhere, its process ends it at its own end. */
  endedAtExitBy: option.checkedLater<readonly string[]>(),
  /** Where nothing releases it, it is meant to go on until its process ends. */
  isOpenEnded: only,
  /**
   * Why a leak is a warning and no error: it costs memory or a listener, or is collected with its
   * handle.
   */
  mildLeak: option.oneOf('memory', 'listener', 'collected'),
  /** The conventional name of the package where it is undeclared: `tf`. */
  namespace: option.text,
  /**
   * This method returns `{ done }`: after `done`, or when rejected, there is nothing to release.
   */
  drains: option.text,
  /** By releasing method, the members that may be used after it: `read` after `cancel`. */
  answersAfter: option.checkedLater<Readonly<Record<string, readonly string[]>>>(),
  /** It may be released before the end of its scope, which then does nothing. */
  scopeAfterRelease: only,
  /** Iterating over it to the end or to a `break` releases it. */
  iterates: only,
  /** Calling one of these on the object that it came from releases it: `mutex.release()`. */
  receiverRelease: option.checkedLater<readonly string[]>(),
  /** It is a lock: the code that runs while it is held relies on it. */
  guards: only,
  /** Matches the text of calls that acquire it for another function to release. */
  handedOff: option.checkedLater<RegExp>(),
  /** Methods of a handle that return another one: `tensor.mul(other)`. */
  creates: option.checkedLater<readonly string[]>(),
  /** Functions that release every handle created in their callback and not returned. */
  tidies: option.checkedLater<readonly string[]>(),
  /** The effects of a second release, a late use and a leak, as parts of sentences. */
  doubleRelease: option.text,
  /** A clause: what a use after the release really does. */
  useAfterRelease: option.text,
  /** A clause: what a leak really does. */
  leak: option.text,
  /** Off unless enabled by id. */
  optIn: only,
  /** Verified by a run, read in the library's source or types, or not verified. */
  evidence: option.oneOf('probed', 'source', 'unverified'),
});

/**
 * A resource: how a library's handles are acquired, used and released. A configuration file can
 * have models of its own.
 */
export interface ResourceModel extends OptionsOf<
  typeof MODEL,
  | 'id'
  | 'modules'
  | 'types'
  | 'acquire'
  | 'release'
  | 'doubleRelease'
  | 'useAfterRelease'
  | 'leak'
  | 'evidence'
> {}

/** Throws unless a model of the user has fields of models alone. */
export function requireModel(model: ResourceModel): void {
  const name = `the model ${model.id}`;
  requireOptions(name, MODEL, model);
  for (const call of model.acquire) requireOptions(`acquire of ${name}`, ACQUIRE_CALL, call);
  for (const via of model.via ?? []) requireOptions(`via of ${name}`, VIA, via);
  for (const taker of model.takers ?? []) requireOptions(`takers of ${name}`, TAKER, taker);
}
