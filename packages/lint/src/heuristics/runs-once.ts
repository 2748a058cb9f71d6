// Code that runs once in the life of its process: a module, its entry, and what only they call.
import { walkOwn } from '../syntax/children.ts';
import type { CallExpression, FunctionNode, SourceFile } from '../syntax/node.ts';

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
  if (isEntry(fn)) return true;
  const isCallable = fn.form === 'function' || fn.form === 'constructor';
  if (!isCallable || depth === MAX_DEPTH) return false;
  const sites = sitesOf(fn);
  const [site] = sites;
  if (site === undefined || sites.length > 1 || isInLoop(site)) return false;
  return !('kind' in site.owner) || runsOnce(site.owner, sitesOf, depth + 1);
}

/** `activate` of an extension, `main` of a program. */
export function isEntry({ name = '' }: FunctionNode): boolean {
  return /^(activate|main)$/.test(name);
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
