// Syntactic rules for roles of kernels: unperformed operations, `await`, nondeterminism.
import type { FlowFinding } from '../flow/report.ts';
import type { CallTarget } from '../flow/world.ts';
import { walkOwn } from '../syntax/children.ts';
import type { CallExpression, FunctionNode, Node, Pattern, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import { unusedCalls } from './unperformed-calls.ts';

type Resolve = (call: CallExpression, file: SourceFile) => CallTarget;

export function roleFindings(
  role: FunctionNode,
  isRound: boolean,
  resolve: Resolve,
): FlowFinding[] {
  const { file, body } = role;
  const findings: FlowFinding[] = [];
  const report = (kind: FlowFinding['kind'], { start, end }: Node): void => {
    const nothing = { instance: undefined, cause: undefined, other: undefined, reason: undefined };
    findings.push({ kind, file, start, end, what: file.text.slice(start, end), ...nothing });
  };
  if (body === undefined) return findings;
  walkOwn(body, (node) => {
    if (node.kind === 'await' || (node.kind === 'forEach' && node.isAwait)) {
      report('await-in-role', node);
    }
    if (node.kind === 'assign' || (node.kind === 'unary' && node.operator === 'update')) {
      const variable = changed(node.kind === 'assign' ? node.target : node.operand);
      if (variable?.home === undefined && variable !== undefined)
        report('nondeterministic-role', node);
      else if (isRound && variable !== undefined && !isInside(variable, role)) {
        report('loop-captures', node);
      }
    }
    if (node.kind === 'call' && isClockOrDice(node)) report('nondeterministic-role', node);
    for (const call of unusedCalls(node)) {
      if (isOperation(resolve(call, file))) report('floating-op', call);
    }
  });
  return findings;
}

const PERFORMED = /^(Operation|Generator)$/;

/** Whether the function returns an operation that must be performed with `yield*`. */
function isOperation({ fn }: CallTarget): boolean {
  if (fn === undefined) return false;
  const { returns, isGenerator } = fn;
  return isGenerator || (returns?.kind === 'named' && PERFORMED.test(returns.name));
}

/** The variable that an assignment changes. */
function changed(target: Pattern): Variable | undefined {
  return target.kind === 'name' ? target.variable : undefined;
}

/** Whether a variable is local to each call of a function. */
function isInside({ home }: Variable, fn: FunctionNode): boolean {
  for (let scope = home; scope !== undefined; scope = scope.outer) if (scope === fn) return true;
  return false;
}

const CLOCKS = /^(Date\.now|Math\.random|performance\.now|crypto\.randomUUID)$/;

function isClockOrDice({ callee, isNew }: CallExpression): boolean {
  if (isNew) return callee.kind === 'name' && callee.text === 'Date';
  if (callee.kind !== 'member' || callee.object.kind !== 'name') return false;
  return CLOCKS.test(`${callee.object.text}.${callee.name}`);
}
