// Matches a call with a model: by types, or by syntax where types are unknown.
import type { CallTarget } from '../flow/world.ts';
import type { CallExpression, Expression } from '../syntax/node.ts';
import type { AcquireCall, ResourceModel } from './model.ts';
import { isLeftOpen, isOwnStream, type CalleeOrigin } from './origin.ts';

/** `pg` declares what `pg` and `pg/lib/client` export; `fs` is `node:fs`. */
export function declares(modules: readonly string[], module: string): boolean {
  const plain = plainName(module);
  return modules.some((declared) => {
    const name = plainName(declared);
    return plain.startsWith(name) && (plain.length === name.length || plain[name.length] === '/');
  });
}

function plainName(module: string): string {
  return module.startsWith('node:') ? module.slice('node:'.length) : module;
}

/** A package, and not a file of the project by its path or by an alias for it. */
export function isFar(module: string): boolean {
  return !/^([.~#]|@\/)/.test(module);
}

/** A file of the project, as syntax shows it. */
function isNear({ module }: CalleeOrigin): boolean {
  return module !== undefined && !isFar(module);
}

/** A call, and a model's function that it may be a call of. */
export interface Candidate {
  readonly call: CallExpression;
  readonly model: ResourceModel;
  readonly acquire: AcquireCall;
  readonly target: CallTarget;
  readonly origin: CalleeOrigin;
}

/** Whether the call acquires a handle of the model. */
export function acquires(candidate: Candidate): boolean {
  const { call, model, acquire, target, origin } = candidate;
  if (!isCalledAs(candidate)) return false;
  const { usedFor, passedTo, receiver } = acquire;
  if (usedFor) {
    const isOpen = receiver
      ? !isElsewhere(model, target) && receiver.test(origin.text)
      : isUndeclared(target, origin);
    return isOpen && isUsedFor(call, usedFor);
  }
  if (passedTo) return isUndeclared(target, origin) && isPassedTo(call, passedTo);
  if (acquire.named && !(call.isAwaited && isUsedFor(call, model.release))) return false;
  if (acquire.whenReleased) {
    if (isOfOther(candidate)) return false;
    if (isOfProject(target) || model.modules.length === 0) return isReceiver(receiver, origin);
  }
  if (!isWrittenAs(candidate)) return false;
  // An undeclared name, as in a snippet, or one declared in a module of the project.
  if (acquire.whenReleased && (origin.isGlobal || isNear(origin))) {
    return isReceiver(receiver, origin);
  }
  return isFrom(model, acquire, target, origin);
}

function isReceiver(receiver: RegExp | undefined, { text }: CalleeOrigin): boolean {
  return receiver?.test(text) === true;
}

/** Whether the call has the form that a model asks for: `new`, and a callback or none. */
function isCalledAs({ call, acquire }: Candidate): boolean {
  if ((acquire.construct ?? false) !== call.isNew) return false;
  const hasCallback = isFunction(call.args.at(-1));
  const needsCallback = acquire.callback !== undefined && acquire.option === undefined;
  return hasCallback ? !acquire.unlessCallback : !needsCallback;
}

/** A function, or the name of one. */
function isFunction(node: Expression | undefined): boolean {
  if (node?.kind !== 'name') return node?.kind === 'function';
  return node.variable?.initializer?.kind === 'function';
}

/** Whether another package, or another type than the model's, declares the callee. */
function isOfOther({ model, acquire, target, origin }: Candidate): boolean {
  const isTaken = isTakenForGlobal(acquire, target, origin);
  const module = isTaken ? undefined : (target.module ?? origin.module);
  const isOfPackage = module !== undefined && isFar(module) && model.modules.length > 0;
  if (isOfPackage && !declares(model.modules, module)) return true;
  const owner = isTaken ? undefined : (target.owner ?? origin.type);
  const isOtherType = owner !== undefined && acquire.on?.includes(owner) !== true;
  return (isOfProject(target) || isOtherType) && !acquire.evenInProject;
}

/** Whether the receiver and the arguments are written as a model asks for. */
function isWrittenAs({ call, acquire, origin }: Candidate): boolean {
  if (acquire.unlessLocal && isOwnStream(call) && !isLeftOpen(call)) return false;
  if (acquire.written?.test(origin.standsFor) === false) return false;
  return acquire.withText?.test(origin.argumentText) !== false;
}

/** Whether the project declares the callee. */
function isOfProject({ fn, classNode }: CallTarget): boolean {
  return fn !== undefined || classNode !== undefined;
}

/** Whether the callee is undeclared: a snippet, or a missing module. */
function isUndeclared(target: CallTarget, origin: CalleeOrigin): boolean {
  const isKnown = target.module !== undefined || isOfProject(target);
  return !isKnown && (origin.isGlobal || isNear(origin));
}

/** Whether the project or another library declares it. */
function isElsewhere({ modules }: ResourceModel, target: CallTarget): boolean {
  return target.module === undefined ? isOfProject(target) : !declares(modules, target.module);
}

export function isUsedFor({ bound }: CallExpression, methods: readonly string[]): boolean {
  return methods.some((name) => bound?.called.has(name));
}

export function isPassedTo({ bound }: CallExpression, functions: readonly RegExp[]): boolean {
  const names = [...(bound?.passedTo ?? [])];
  return functions.every((pattern) => names.some((name) => pattern.test(name)));
}

/**
 * `await open(path)` of a snippet is not the `open()` of browsers, which does not return a promise.
 */
function isTakenForGlobal(acquire: AcquireCall, target: CallTarget, origin: CalleeOrigin): boolean {
  return acquire.async === true && target.module === 'lib' && origin.isGlobal && !target.isPromise;
}

type Recognized = Pick<AcquireCall, 'on' | 'receiver' | 'receiverFrom' | 'bare'>;

/** `(this.connection as mysql.Pool)`: the library's name, and its type's. */
export function isCastTo(
  { modules }: Pick<ResourceModel, 'modules'>,
  { on = [] }: Pick<AcquireCall, 'on'>,
  { cast = '' }: CalleeOrigin,
): boolean {
  const [library = '', type = ''] = cast.split('.');
  return library !== '' && on.includes(type) && modules.some((name) => name.startsWith(library));
}

/** Whether a call is one of a model's library, by type or, where types are unknown, by syntax. */
export function isFrom(
  { modules }: ResourceModel,
  { on, receiver, receiverFrom, bare }: Recognized,
  target: CallTarget,
  origin: CalleeOrigin,
): boolean {
  const isDeclaredIn = (module: string, type: string | undefined): boolean =>
    declares(modules, module) && (on === undefined || type === undefined || on.includes(type));
  if (target.module !== undefined) return isDeclaredIn(target.module, target.owner ?? origin.type);
  if (isOfProject(target)) return false;
  const { module, type, isGlobal } = origin;
  if (module !== undefined) return isDeclaredIn(module, type);
  if (isCastTo({ modules }, { on }, origin)) return true;
  if (type !== undefined && on !== undefined) {
    // `PgPool` is a pool if its variable is named like one, too.
    const isKind = on.some((name) => new RegExp(`(^|\\.)(I|Pg|PG|Db|DB)?${name}$`).test(type));
    return on.includes(type) || (isKind && isReceiver(receiver, origin));
  }
  if (isGlobal) return bare === true || (modules.includes('lib') && on === undefined);
  return isReceiver(receiver, origin) || receiverFrom?.test(origin.receiverCall) === true;
}
