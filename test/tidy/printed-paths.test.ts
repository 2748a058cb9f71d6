// Messages name no file of this repository: packages do not contain them. A page has an address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultAt, source, type Fault, type Source } from './source.ts';
import { ts, type TypeScript } from './syntax.ts';
import { SOURCES } from './tree.ts';

/** A path below a folder that no package contains; part of a longer path or address it is none. */
const PATH = /(?<![\w/.-])(?:docs|examples|bench|test|scripts|skills|packages)\/[\w-]+/;
/** Where a figure of a model was measured: facts for those who fit models, no messages. */
const IS_PROVENANCE = /^simulate\/models\//;

function pathFaults(file: Source): Fault[] {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: TypeScript.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
    const path = isText && !isAddress(node) ? PATH.exec(node.text)?.[0] : undefined;
    if (path !== undefined)
      faults.push(faultAt(file, node.getStart(tree), `a message names ${path}`));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

/** Whether a text is a path of `documentation()`, or the name of a module. */
function isAddress({ parent }: TypeScript.Node): boolean {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && parent.expression.getText() === 'documentation';
}

test('a message that names a file of the repository is a fault, an address is none', () => {
  const lines = [
    "throw new Error('see docs/how-to/hang.md');",
    'const help = `of bench/cuda/run.sh: ${name}`;',
    "const address = documentation('how-to/hang.md');",
    "const page = 'https://github.com/poundlock/poundlock/blob/main/docs/README.md';",
    '// docs/reference/semantics.md',
  ];
  const faults = pathFaults(source('cli/a.ts', lines.join('\n')));
  assert.deepEqual(
    faults.map((fault) => fault.slice(0, 10)),
    ['cli/a.ts:1', 'cli/a.ts:2'],
  );
});

test('no message of a package names a file of the repository', () => {
  const messages = SOURCES.filter(({ path }) => !IS_PROVENANCE.test(path));
  assert.deepEqual(messages.flatMap(pathFaults), []);
});
