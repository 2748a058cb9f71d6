// Matches a call with a model: by types, or by syntax where types are unknown.
import type { CallTarget } from '../flow/world.ts';
import type { CallExpression } from '../syntax/node.ts';
import type { AcquireCall, ResourceModel } from './model.ts';
import { isLeftOpen, isOwnStream, type CalleeOrigin } from './origin.ts';

/** `pg` declares what `pg` and `pg/lib/client` export; `fs` is `node:fs`. */
export function declares(modules: readonly string[], module: string): boolean {
  const plain = module.replace(/^node:/, '');
  return modules.some((each) => {
    const name = each.replace(/^node:/, '');
    return plain === name || plain.startsWith(`${name}/`);
  });
}

/** A package, and not a file of the project by its path or by an alias for it. */
export function isFar(module: string): boolean {
  return !/^([.~#]|@\/)/.test(module);
}

export function acquires(
  call: CallExpression,
  model: ResourceModel,
  acquire: AcquireCall,
  target: CallTarget,
  origin: CalleeOrigin,
): boolean {
  if ((acquire.construct ?? false) !== call.isNew) return false;
  const last = call.args.at(-1);
  const hasCallback = last?.kind === 'function';
  const isLast = acquire.callback !== undefined && acquire.option === undefined;
  if (isLast && !hasCallback) return false;
  if (acquire.unlessCallback && hasCallback) return false;
  const { usedFor } = acquire;
  if (usedFor) {
    const isOpen = acquire.receiver
      ? !isElsewhere(model, target) && acquire.receiver.test(origin.text)
      : isUndeclared(target, origin);
    return isOpen && isUsedFor(call, usedFor);
  }
  const { passedTo } = acquire;
  if (passedTo) return isUndeclared(target, origin) && isPassedTo(call, passedTo);
  if (acquire.named && !(call.isAwaited && isUsedFor(call, model.release))) return false;
  if (acquire.whenReleased) {
    const isTaken = isTakenForGlobal(acquire, target, origin);
    const module = isTaken ? undefined : (target.module ?? origin.module);
    const isShared = model.modules.length === 0;
    if (module !== undefined && isFar(module) && !isShared && !declares(model.modules, module)) {
      return false;
    }
    const isOwn = target.fn !== undefined || target.classNode !== undefined;
    const owner = isTaken ? undefined : (target.owner ?? origin.type);
    const isIts = owner !== undefined && acquire.on?.includes(owner) === true;
    const isOther = isOwn || (owner !== undefined && !isIts);
    if (isOther && !acquire.evenInProject) return false;
    if (isOwn || isShared) return acquire.receiver?.test(origin.text) ?? false;
  }
  if (acquire.unlessLocal && isOwnStream(call) && !isLeftOpen(call)) return false;
  if (acquire.written !== undefined && !acquire.written.test(origin.standsFor)) return false;
  if (acquire.withText !== undefined && !acquire.withText.test(origin.argumentText)) return false;
  // An undeclared name, as in a snippet, or one declared in a module of the project.
  const isNear = origin.module !== undefined && !isFar(origin.module);
  if (acquire.whenReleased && (origin.isGlobal || isNear))
    return acquire.receiver?.test(origin.text) ?? false;
  return isFrom(model, acquire, target, origin);
}

/** Whether the callee is undeclared: a snippet, or a missing module. */
function isUndeclared({ module, fn, classNode }: CallTarget, origin: CalleeOrigin): boolean {
  const isNear = origin.module !== undefined && !isFar(origin.module);
  const isKnown = module !== undefined || fn !== undefined || classNode !== undefined;
  return !isKnown && (origin.isGlobal || isNear);
}

/** Whether the project or another library declares it. */
function isElsewhere({ modules }: ResourceModel, { module, fn, classNode }: CallTarget): boolean {
  if (module !== undefined) return !declares(modules, module);
  return fn !== undefined || classNode !== undefined;
}

export function isUsedFor({ bound }: CallExpression, methods: readonly string[]): boolean {
  return methods.some((name) => bound?.called.has(name));
}

export function isPassedTo({ bound }: CallExpression, functions: readonly RegExp[]): boolean {
  const names = [...(bound?.passedTo ?? [])];
  return functions.every((each) => names.some((name) => each.test(name)));
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
  return library !== '' && on.includes(type) && modules.some((each) => each.startsWith(library));
}

/** Whether a call is one of a model's library, by type or, where types are unknown, by syntax. */
export function isFrom(
  { modules }: ResourceModel,
  { on, receiver, receiverFrom, bare }: Recognized,
  target: CallTarget,
  origin: CalleeOrigin,
): boolean {
  if (target.module !== undefined) {
    if (!declares(modules, target.module)) return false;
    const owner = target.owner ?? origin.type;
    return on === undefined || owner === undefined || on.includes(owner);
  }
  if (target.fn !== undefined || target.classNode !== undefined) return false;
  if (origin.module !== undefined) {
    if (!declares(modules, origin.module)) return false;
    return on === undefined || origin.type === undefined || on.includes(origin.type);
  }
  if (isCastTo({ modules }, { on }, origin)) return true;
  const { type } = origin;
  if (type !== undefined && on !== undefined) {
    // `PgPool` is a pool if its variable is named like one, too.
    const isKind = on.some((name) => new RegExp(`(^|\\.)(I|Pg|PG|Db|DB)?${name}$`).test(type));
    return on.includes(type) || (isKind && receiver?.test(origin.text) === true);
  }
  if (origin.isGlobal) return bare === true || (modules.includes('lib') && on === undefined);
  return receiver?.test(origin.text) === true || receiverFrom?.test(origin.receiverCall) === true;
}
