// Listeners that nothing takes off: whether they outlive the code that adds them.
import type { Contract } from '../contract/contract.ts';
import type { FlowFinding } from '../flow/report.ts';
import { functionAround, runsOnce, type CallSites } from './runs-once.ts';
import { creates } from '../obligations/vocabulary.ts';
import { calledName } from '../syntax/called-name.ts';
import { walk, walkOwn } from '../syntax/children.ts';
import type { CallExpression, Expression, FunctionNode, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';

/** Whether a call passes a function to be called later. */
export function subscribes({ isNew, args }: CallExpression): boolean {
  return !isNew && args.some(isFunction);
}

/** A function, or the name of one: `emitter.event(resolve)`. */
function isFunction(node: Expression): boolean {
  if (node.kind !== 'name') return node.kind === 'function';
  const { form, home, initializer } = node.variable ?? {};
  if (form === 'function' || initializer?.kind === 'function') return true;
  return form === 'parameter' && home !== undefined && isExecutor(home);
}

function isExecutor({ file, start }: FunctionNode): boolean {
  return /\bnew\s+Promise\s*(?:<[^()]*>)?\(\s*$/.test(file.text.slice(0, start));
}

/**
 * Whether what is lost is a listener that ends with its emitter, which is owned here, or what code
 * registers that runs once.
 */
export function endsWithEmitter({ kind, instance }: FlowFinding, sitesOf: CallSites): boolean {
  const { contract, site } = instance ?? {};
  if (kind !== 'leak' || site === undefined || !isListener(contract)) return false;
  const call = callAt(site.file, site.start, site.end);
  // An observer is bound, since it needs calls of `observe`.
  if (call === undefined || (call.bound !== undefined && !call.isNew)) return false;
  const within = functionAround(site.file, call.start);
  if (within === undefined && isInClass(site.file, call.start)) return false;
  const isOnce = within === undefined || runsOnce(within, sitesOf);
  if (isOnce && isRegistered(call, contract)) return true;
  return within !== undefined && subscribes(call) && !outlives(call.callee, within, sitesOf);
}

/** Whether a call registers something, and creates no object but an observer. */
function isRegistered(call: CallExpression, contract: Contract | undefined): boolean {
  return call.isNew ? contract?.isModel === true : !creates(calledName(call) ?? '');
}

function isListener(contract: Contract | undefined): boolean {
  return contract?.isStructural === true || contract?.mildLeak === 'listener';
}

export function callAt(file: SourceFile, start: number, end: number): CallExpression | undefined {
  let found: CallExpression | undefined;
  walk(file.body, (node) => {
    if (node.kind === 'call' && node.start === start && node.end === end) found = node;
  });
  return found;
}

/** In the initializer of a field, which then holds it. */
function isInClass({ classes }: SourceFile, place: number): boolean {
  return classes.some(({ start, end }) => start <= place && place < end);
}

/** Callers that are followed to what they pass. */
const MAX_CALLERS = 3;

/**
 * Whether the code shows that the emitter outlives its caller: it is global or imported, or passed
 * by callers that do not own it. How long the object of a field lives, nothing shows.
 */
function outlives(
  emitter: Expression,
  within: FunctionNode | SourceFile,
  sitesOf: CallSites,
  depth = 0,
): boolean {
  let root = emitter;
  while (root.kind === 'member') root = root.object;
  if (root.kind !== 'name') return false;
  const { variable } = root;
  if (variable === undefined) return true;
  if (variable.form !== 'parameter') {
    return !isLocal(variable) && !('kind' in within && isFilledIn(variable, within));
  }
  const list = listOf(variable);
  if (list !== undefined) return outlives(list, within, sitesOf, depth);
  const { home } = variable;
  const index = home?.parameters.findIndex(({ target }) => {
    return target.kind === 'name' && target.variable === variable;
  });
  const sites = home === undefined || depth === MAX_CALLERS ? [] : sitesOf(home);
  const passed = sites.map(({ call, owner }) => ({ each: call.args[index ?? -1], owner }));
  return passed.every(({ each, owner }) => !each || outlives(each, owner, sitesOf, depth + 1));
}

/** `view = createView(); view.onDidChange(…)`: the function itself has filled the variable. */
function isFilledIn(variable: Variable, { body }: FunctionNode): boolean {
  let found = false;
  if (body === undefined || variable.form === 'parameter') return false;
  walkOwn(body, (node) => {
    if (node.kind !== 'assign' || node.target.kind !== 'name') return;
    found ||= node.target.variable === variable && node.value.kind === 'call';
  });
  return found;
}

/** `watchers` of `watchers.forEach((watcher) => …)`, for the parameter of its callback. */
function listOf({ home }: Variable): Expression | undefined {
  let found: Expression | undefined;
  if (home?.outer === undefined) return undefined;
  walk(home.outer, (node) => {
    if (node.kind !== 'call' || node.args[0] !== home || node.callee.kind !== 'member') return;
    if (node.callee.name === 'forEach') found = node.callee.object;
  });
  return found;
}

/** A local, or a variable that its module fills itself. */
function isLocal({ home, form, imported, initializer }: Variable): boolean {
  if (imported !== undefined || form === 'parameter') return false;
  return home !== undefined || initializer?.kind === 'call';
}
