// Which findings are about code of tests: by the path of a file, or the call of a test around them.
import { calledName } from '../syntax/called-name.ts';
import { walk } from '../syntax/children.ts';
import type { SourceFile } from '../syntax/node.ts';

const FOLDERS = '(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|__mocks__)';
const HELPERS = '[Tt]ests?[-_]?(?:[Ss]etup|[Uu]tils?|[Hh]elpers?|[Ss]upport|[Mm]ocks?)';
const OF_TEST = new RegExp(
  `(?:^|/)${FOLDERS}/|\\.(?:test|spec)\\.[cm]?[jt]sx?$|(?:^|/)${HELPERS}\\.[cm]?[jt]sx?$`,
);

/** Whether a path below the root of a package is that of a test. */
export function isTestPath(path: string): boolean {
  return OF_TEST.test(path);
}

const TESTS = new Set(['describe', 'it', 'suite', 'test']);

interface Span {
  readonly start: number;
  readonly end: number;
}

const SPANS = new WeakMap<SourceFile, readonly Span[]>();

/** Whether a place is in a function that is given to `test('…', …)` or its like. */
export function isInTest(file: SourceFile, start: number): boolean {
  const spans = SPANS.get(file) ?? testsIn(file);
  SPANS.set(file, spans);
  return spans.some((span) => span.start <= start && start < span.end);
}

function testsIn(file: SourceFile): Span[] {
  const found: Span[] = [];
  walk(file.body, (node) => {
    if (node.kind !== 'call' || !TESTS.has(calledName(node) ?? '')) return;
    const [title] = node.args;
    const hasTitle = title?.kind === 'literal' && typeof title.value === 'string';
    if (hasTitle) found.push(...node.args.filter(({ kind }) => kind === 'function'));
  });
  return found;
}
