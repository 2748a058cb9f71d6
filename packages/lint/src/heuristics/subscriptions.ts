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
  return within !== undefined && subscribes(call) && isOwned(call.callee, within);
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

/** Whether the emitter is a local of the function, or a field that its class fills itself. */
function isOwned(callee: Expression, within: FunctionNode): boolean {
  let root = callee;
  let field: string | undefined;
  while (root.kind === 'member') {
    field = root.name;
    root = root.object;
  }
  if (root.kind === 'this') return isFilledInside(field, within);
  if (root.kind !== 'name') return true;
  const { variable } = root;
  if (variable === undefined) return false;
  const list = variable.form === 'parameter' ? listOf(variable) : undefined;
  if (list !== undefined) return isOwned(list, within);
  return isLocal(variable) || isFilledIn(variable, within);
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

/** Whether a field gets what the class creates, and no parameter of its constructor. */
function isFilledInside(field: string | undefined, within: FunctionNode): boolean {
  let fn: FunctionNode | undefined = within;
  while (fn !== undefined && fn.owner === undefined) fn = fn.outer;
  const { fields = [], methods = [] } = fn?.owner ?? {};
  const isParameter = methods.some(({ parameters }) =>
    parameters.some(({ isField, target }) => isField && 'text' in target && target.text === field),
  );
  if (isParameter) return false;
  const declared = fields.find(({ name }) => name === field);
  if (declared?.initializer?.kind === 'call') return true;
  return methods.some(({ body }) => body !== undefined && assignsCreated(body, field));
}

function assignsCreated(body: Parameters<typeof walk>[0], field: string | undefined): boolean {
  let found = false;
  walk(body, (node) => {
    if (node.kind !== 'assign' || node.target.kind !== 'member') return;
    const { object, name } = node.target;
    const value = node.value.kind === 'await' ? node.value.operand : node.value;
    found ||= object.kind === 'this' && name === field && value.kind === 'call';
  });
  return found;
}
