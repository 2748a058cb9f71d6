// Exceptions that report misuse by the caller. They count inside the function that throws them, but
// not at its callers, which are assumed to be correct.
import { walk, walkOwn } from '../syntax/children.ts';
import type { Expression, FunctionNode, Node, ReturnOrThrow, SourceFile } from '../syntax/node.ts';

const MISUSE = /^(Type|Range|Syntax|Reference|Eval|URI|Assertion|Invariant)(Error|Violation)$/;

/**
 * `throw new TypeError(…)`, `if (this.isDisposed) throw new Error('…')` after the end, and what an
 * assertion (`asserts value`) throws: it states what holds in any correct program.
 */
export function throwsMisuse(node: ReturnOrThrow, file: SourceFile): boolean {
  const { value } = node;
  if (value?.kind !== 'call' || !value.isNew || value.callee.kind !== 'name') return false;
  if (MISUSE.test(value.callee.text)) return true;
  const known = OF_MISUSE.get(file) ?? throwsOfMisuse(file);
  OF_MISUSE.set(file, known);
  return known.has(node);
}

const OF_MISUSE = new WeakMap<SourceFile, ReadonlySet<Node>>();

/** The exceptions of a file that say that their object has ended, or that an assertion fails. */
function throwsOfMisuse({ body }: SourceFile): Set<Node> {
  const found = new Set<Node>();
  walk(body, (node) => {
    if (node.kind === 'function' && node.body !== undefined && asserts(node)) {
      walkOwn(node.body, (each) => void (each.kind === 'throw' && found.add(each)));
    }
    if (node.kind !== 'if' || !testsEnd(node.test)) return;
    const inside = node.then.kind === 'block' ? node.then.statements : [node.then];
    for (const each of inside) if (each.kind === 'throw') found.add(each);
  });
  return found;
}

function asserts({ returns }: FunctionNode): boolean {
  return returns?.kind === 'predicate' && returns.asserts;
}

/** `this.isDisposed`, `this.isDisposed()`, `this.#closed`. */
function testsEnd(test: Expression): boolean {
  const state = test.kind === 'call' && test.args.length === 0 ? test.callee : test;
  if (state.kind !== 'member' || state.object.kind !== 'this') return false;
  return /^[#_]*(is|was|has)?_?(disposed|closed|destroyed|ended|released|freed)$/i.test(
    state.name ?? '',
  );
}
