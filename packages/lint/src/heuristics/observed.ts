// Observers that end with what they observe: an element, or the page.
import type { FlowFinding } from '../flow/report.ts';
import { creates } from '../obligations/vocabulary.ts';
import { calledName } from '../syntax/called-name.ts';
import { walk } from '../syntax/children.ts';
import type { CallExpression, Expression, FunctionNode } from '../syntax/node.ts';
import { functionAround, mayRunOnce, type CallSites } from './runs-once.ts';
import { callAt } from './subscriptions.ts';

/**
 * Whether an observer that nothing releases ends with its targets: elements that the function has
 * made, or the page, which a function without an object observes once.
 */
export function endsWithTarget(
  { kind, instance, isReleasedElsewhere = false }: FlowFinding,
  sitesOf: CallSites,
): boolean {
  const { contract, site, status } = instance ?? {};
  if (kind !== 'leak' || site === undefined || isReleasedElsewhere) return false;
  if (contract?.mildLeak !== 'listener' || contract.starts.length === 0) return false;
  const call = callAt(site.file, site.start, site.end);
  const within = functionAround(site.file, site.start);
  if (call === undefined || within === undefined || status === 'field') return false;
  const targets = targetsOf(call, within, contract.starts);
  if (targets.length === 0) return false;
  if (targets.every((target) => isCreatedHere(target, within))) return true;
  const isKnown = targets.every((target) => isOfPage(target) || isCreatedHere(target, within));
  return isKnown && mayRunOnce(within, sitesOf);
}

/** The arguments of `observer.observe(…)`, or of `new Observer(…).observe(…)`. */
function targetsOf(
  call: CallExpression,
  within: FunctionNode,
  starts: readonly string[],
): (Expression | undefined)[] {
  const found: (Expression | undefined)[] = [];
  walk(within, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    const isBound = object.kind === 'name' && object.variable === call.bound;
    if (!starts.includes(name) || !(object === call || (call.bound !== undefined && isBound))) {
      return;
    }
    found.push(node.args[0]);
  });
  return found;
}

/** `document.createElement('div')`, in a local of the function. */
function isCreatedHere(target: Expression | undefined, within: FunctionNode): boolean {
  const variable = target?.kind === 'name' ? target.variable : undefined;
  const { home, form, initializer } = variable ?? {};
  if (home !== within || form === 'parameter' || initializer?.kind !== 'call') return false;
  return creates(calledName(initializer) ?? '');
}

/** `document.body`; or options alone: what happens in the process or page itself. */
function isOfPage(target: Expression | undefined): boolean {
  if (target?.kind === 'object') return true;
  let root: Expression | undefined = target;
  while (root?.kind === 'member') root = root.object;
  if (root?.kind !== 'name' || root.variable !== undefined) return false;
  return /^(document|window|globalThis|self)$/.test(root.text);
}
