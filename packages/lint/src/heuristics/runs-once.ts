// Code that runs once in the life of its process: a module, its entry, and what only they call.
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

/** Whether a function runs once: it is an entry, or all that is known to call it runs once. */
export function runsOnce(fn: FunctionNode, sitesOf: CallSites, depth = 0): boolean {
  if (isEntry(fn) || isGuarded(fn)) return true;
  if (depth === MAX_DEPTH) return false;
  const isNamed = fn.form !== 'arrow' && (fn.form !== 'function' || fn.name !== undefined);
  const sites = isNamed ? sitesOf(fn) : passedOnce(fn);
  const [site] = sites;
  if (site === undefined || sites.length > 1 || isInLoop(site)) return false;
  return !('kind' in site.owner) || runsOnce(site.owner, sitesOf, depth + 1);
}

/** `activate` of an extension, `main` of a program. */
function isEntry({ name = '' }: FunctionNode): boolean {
  return /^(activate|main)$/.test(name);
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

/** Calls that run the function passed to them once: `new Promise(…)`, `connect().then(…)`. */
function passedOnce(fn: FunctionNode): CallSite[] {
  const owner = fn.outer ?? fn.file;
  const sites: CallSite[] = [];
  if (owner.body === undefined) return [];
  walkOwn(owner.body, (node) => {
    if (node.kind === 'call' && node.args.includes(fn) && isOnce(node)) {
      sites.push({ call: node, owner });
    }
  });
  return sites;
}

function isOnce({ callee, isNew, args: [event] }: CallExpression): boolean {
  if (isNew) return callee.kind === 'name' && callee.text === 'Promise';
  if (callee.kind !== 'member') return false;
  if (callee.name === 'addEventListener') {
    const name = event?.kind === 'literal' ? String(event.value) : '';
    return /^(load|DOMContentLoaded)$/.test(name);
  }
  return /^(then|catch|finally)$/.test(callee.name ?? '');
}

function isInLoop({ call, owner }: CallSite): boolean {
  let isIn = false;
  if (owner.body === undefined) return false;
  walkOwn(owner.body, (node) => {
    if (node.kind !== 'loop' && node.kind !== 'forEach') return;
    isIn ||= node.start <= call.start && call.end <= node.end;
  });
  return isIn;
}
