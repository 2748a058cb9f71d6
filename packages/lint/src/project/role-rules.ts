// What a role must not do, which its text alone shows: make an operation and not perform it, wait
// for a promise, depend on anything but its answers.
import type { Finding } from '../flow/report.ts';
import type { Target } from '../flow/world.ts';
import { walkOwn } from '../syntax/children.ts';
import type { Call, FunctionNode, Node, Pattern, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';

type Resolve = (call: Call, file: SourceFile) => Target;

export function roleFindings(role: FunctionNode, isRound: boolean, resolve: Resolve): Finding[] {
  const { file, body } = role;
  const findings: Finding[] = [];
  const tell = (kind: Finding['kind'], { start, end }: Node): void => {
    const nothing = { instance: undefined, cause: undefined, other: undefined, reason: undefined };
    findings.push({ kind, file, start, end, what: file.text.slice(start, end), ...nothing });
  };
  if (body === undefined) return findings;
  walkOwn(body, (node) => {
    if (node.kind === 'await' || (node.kind === 'forEach' && node.isAwait)) {
      tell('await-in-role', node);
    }
    if (node.kind === 'assign' || (node.kind === 'unary' && node.operator === 'update')) {
      const variable = changed(node.kind === 'assign' ? node.target : node.operand);
      if (variable?.home === undefined && variable !== undefined)
        tell('nondeterministic-role', node);
      else if (isRound && variable !== undefined && !isInside(variable, role)) {
        tell('loop-captures', node);
      }
    }
    if (node.kind === 'call' && isClockOrDice(node)) tell('nondeterministic-role', node);
    if (node.kind !== 'expression' || node.expression.kind !== 'call') return;
    if (isOperation(resolve(node.expression, file))) tell('floating-op', node.expression);
  });
  return findings;
}

const PERFORMED = /^(Operation|Generator)$/;

/** It answers something that only `yield*` performs. */
function isOperation({ fn }: Target): boolean {
  if (fn === undefined) return false;
  const { returns, isGenerator } = fn;
  return isGenerator || (returns?.kind === 'named' && PERFORMED.test(returns.name));
}

/** The variable that an assignment changes. */
function changed(target: Pattern): Variable | undefined {
  return target.kind === 'name' ? target.variable : undefined;
}

/** Whether a variable is made anew in each call of a function. */
function isInside({ home }: Variable, fn: FunctionNode): boolean {
  for (let each = home; each !== undefined; each = each.outer) if (each === fn) return true;
  return false;
}

const CLOCKS = /^(Date\.now|Math\.random|performance\.now|crypto\.randomUUID)$/;

function isClockOrDice({ callee, isNew }: Call): boolean {
  if (isNew) return callee.kind === 'name' && callee.text === 'Date';
  if (callee.kind !== 'member' || callee.object.kind !== 'name') return false;
  return CLOCKS.test(`${callee.object.text}.${callee.name}`);
}
