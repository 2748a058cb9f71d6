// Exceptions that report misuse by the caller. They count inside the function that throws them, but
// not at its callers, which are assumed to be correct.
import { walk } from '../syntax/children.ts';
import type { Expression, Node, ReturnOrThrow, SourceFile } from '../syntax/node.ts';

const MISUSE = /^(Type|Range|Syntax|Reference|Eval|URI|Assertion|Invariant)(Error|Violation)$/;

/** `throw new TypeError(…)`, or `if (this.isDisposed) throw new Error('…')`, after the end. */
export function throwsMisuse(node: ReturnOrThrow, file: SourceFile): boolean {
  const { value } = node;
  if (value?.kind !== 'call' || !value.isNew || value.callee.kind !== 'name') return false;
  if (MISUSE.test(value.callee.text)) return true;
  const afterEnd = AFTER_END.get(file) ?? throwsAfterEnd(file);
  AFTER_END.set(file, afterEnd);
  return afterEnd.has(node);
}

const AFTER_END = new WeakMap<SourceFile, ReadonlySet<Node>>();

/** The exceptions of a file that say that their object has ended. */
function throwsAfterEnd({ body }: SourceFile): Set<Node> {
  const found = new Set<Node>();
  walk(body, (node) => {
    if (node.kind !== 'if' || !testsEnd(node.test)) return;
    const inside = node.then.kind === 'block' ? node.then.statements : [node.then];
    for (const each of inside) if (each.kind === 'throw') found.add(each);
  });
  return found;
}

/** `this.isDisposed`, `this.isDisposed()`, `this.#closed`. */
function testsEnd(test: Expression): boolean {
  const state = test.kind === 'call' && test.args.length === 0 ? test.callee : test;
  if (state.kind !== 'member' || state.object.kind !== 'this') return false;
  return /^[#_]*(is|was|has)?_?(disposed|closed|destroyed|ended|released|freed)$/i.test(
    state.name ?? '',
  );
}
