// What a role must not do, which its text alone shows: make an operation and not perform it, and
// wait for a promise.
import type { Finding } from '../flow/report.ts';
import type { Target } from '../flow/world.ts';
import { walkOwn } from '../syntax/children.ts';
import type { Call, FunctionNode, Node, SourceFile } from '../syntax/node.ts';

type Resolve = (call: Call, file: SourceFile) => Target;

export function roleFindings(role: FunctionNode, resolve: Resolve): Finding[] {
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
    if (node.kind !== 'expression' || node.expression.kind !== 'call') return;
    if (isOperation(resolve(node.expression, file))) tell('floating-op', node.expression);
  });
  return findings;
}

/** It answers something that only `yield*` performs. */
function isOperation({ fn }: Target): boolean {
  if (fn === undefined) return false;
  return fn.isGenerator || (fn.returns?.kind === 'named' && fn.returns.name === 'Operation');
}
