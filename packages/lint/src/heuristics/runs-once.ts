// Code that runs once in the life of its process, or as often as it is written there: a module, its
// entry, handlers of its end, and what only they call.
import { walkOwn } from '../syntax/children.ts';
import type { CallExpression, FunctionNode, Node, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';

/** A call, and the function or module around it. */
export interface CallSite {
  readonly call: CallExpression;
  readonly owner: FunctionNode | SourceFile;
}

/** The calls of functions of the same name, as far as files were read. */
export type CallSites = (fn: FunctionNode) => readonly CallSite[];

/** The deepest nesting of functions. */
const MAX_DEPTH = 4;
/** The most calls of a function, each of which runs once. */
const MAX_SITES = 3;

/** The innermost function around a place. */
export function functionAround({ functions }: SourceFile, place: number): FunctionNode | undefined {
  return functions.findLast(({ start, end }) => start <= place && place < end);
}

/** Whether a function runs once: it is an entry, or all that is known to call it runs once. */
export function runsOnce(fn: FunctionNode, sitesOf: CallSites, depth = 0): boolean {
  if (isEntry(fn) || isGuarded(fn)) return true;
  if (depth === MAX_DEPTH) return false;
  const isNamed = fn.form !== 'arrow' && (fn.form !== 'function' || fn.name !== undefined);
  const sites = isNamed ? sitesOf(fn) : passedOnce(fn);
  if (sites.length === 0 || sites.length > MAX_SITES) return false;
  return sites.every((site) => {
    if (isInLoop(site)) return false;
    return !('kind' in site.owner) || runsOnce(site.owner, sitesOf, depth + 1);
  });
}

/**
 * Whether a function may run once, as far as is known: what no call is known of is called by the
 * code that uses the module, and belongs to no object.
 */
export function mayRunOnce(fn: FunctionNode, sitesOf: CallSites, depth = 0): boolean {
  if (runsOnce(fn, sitesOf)) return true;
  if (fn.form !== 'function' || fn.name === undefined || fn.owner !== undefined) return false;
  const sites = sitesOf(fn);
  if (depth === MAX_DEPTH || sites.length > MAX_SITES) return false;
  return sites.every((site) => {
    if (isInLoop(site)) return false;
    return !('kind' in site.owner) || mayRunOnce(site.owner, sitesOf, depth + 1);
  });
}

/** `activate` and `deactivate` of an extension, `main` of a program. */
function isEntry({ name = '' }: FunctionNode): boolean {
  return /^((de)?activate|main)$/.test(name);
}

/** `if (isReady) return; … isReady = true;`, of a variable of the module. */
function isGuarded({ body }: FunctionNode): boolean {
  const tested = new Set<Variable>();
  let isSet = false;
  if (body === undefined) return false;
  walkOwn(body, (node) => {
    if (node.kind === 'if' && node.test.kind === 'name' && returns(node.then)) {
      const { variable } = node.test;
      if (variable !== undefined && variable.home === undefined) tested.add(variable);
    }
    if (node.kind !== 'assign' || node.target.kind !== 'name') return;
    const { variable } = node.target;
    const isTrue = node.value.kind === 'literal' && node.value.value === true;
    isSet ||= isTrue && variable !== undefined && tested.has(variable);
  });
  return isSet;
}

function returns(node: Node): boolean {
  if (node.kind !== 'block') return node.kind === 'return';
  return node.statements.some(returns);
}

/**
 * Calls that run a function once: its own, `(() => …)()`, or those that it is passed to:
 * `new Promise(…)`, `connect().then(…)`.
 */
function passedOnce(fn: FunctionNode): CallSite[] {
  const owner = fn.outer ?? fn.file;
  const sites: CallSite[] = [];
  if (owner.body === undefined) return [];
  walkOwn(owner.body, (node) => {
    if (node.kind !== 'call') return;
    const isCalled = node.callee === fn && !node.isNew;
    if (isCalled || (node.args.includes(fn) && isOnce(node))) sites.push({ call: node, owner });
  });
  return sites;
}

function isOnce({ callee, isNew, args: [event] }: CallExpression): boolean {
  if (isNew) return callee.kind === 'name' && callee.text === 'Promise';
  const name = event?.kind === 'literal' ? String(event.value) : '';
  const isOfWindow = callee.kind === 'name' && callee.variable === undefined;
  if (isOfWindow && callee.text === 'addEventListener') return LOADS.test(name);
  if (callee.kind !== 'member') return false;
  if (callee.name === 'addEventListener') return LOADS.test(name);
  const isOfProcess = callee.object.kind === 'name' && callee.object.text === 'process';
  if (isOfProcess && /^(on|once|addListener)$/.test(callee.name ?? '')) return ENDS.test(name);
  return /^(then|catch|finally)$/.test(callee.name ?? '');
}

/** Events of a page that occur once. */
const LOADS = /^(load|DOMContentLoaded)$/;

/** Events of a process that end it. */
const ENDS =
  /^(SIG(INT|TERM|QUIT|BREAK|ABRT)|exit|beforeExit|uncaughtException|unhandledRejection)$/;

function isInLoop({ call, owner }: CallSite): boolean {
  let isIn = false;
  if (owner.body === undefined) return false;
  walkOwn(owner.body, (node) => {
    if (node.kind !== 'loop' && node.kind !== 'forEach') return;
    isIn ||= node.start <= call.start && call.end <= node.end;
  });
  return isIn;
}
