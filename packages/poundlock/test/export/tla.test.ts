// tier: release
// Every exported module is TLA+ by the grammar of tree-sitter, where npm can bring that grammar.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { examples, exportedOr, kernelOf, models } from './instances.ts';

const PACKAGES = ['web-tree-sitter@0.27.1', '@tlaplus/tree-sitter-tlaplus@1.5.0'];
const INSTALL_TIMEOUT_MS = 60_000;

interface Node {
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly text: string;
  readonly startPosition: { readonly row: number };
  readonly children: readonly Node[];
}

interface Grammar {
  parse: (text: (at: number) => string) => { readonly rootNode: Node };
}

/** The parser copies what it is given at each read: a whole module each time takes seconds. */
const PIECE = 4_096;

/** No dependency: the grammar asks for a compiler that downloads itself as it is installed. */
async function loadGrammar(folder: string): Promise<Grammar | null> {
  const words = ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-save'];
  const options = { cwd: folder, timeout: INSTALL_TIMEOUT_MS, shell: process.platform === 'win32' };
  spawnSync('npm', [...words, '--prefix', folder, ...PACKAGES], options);
  const wasm = '@tlaplus/tree-sitter-tlaplus/tree-sitter-tlaplus.wasm';
  const path = join(folder, 'node_modules', wasm);
  if (!existsSync(path)) return null;
  const { Parser, Language } = createRequire(join(folder, 'x.js'))('web-tree-sitter');
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(path));
  return parser as Grammar;
}

function treeOf(parser: Grammar, text: string): Node {
  return parser.parse((at) => text.slice(at, at + PIECE)).rootNode;
}

function faults(node: Node): string[] {
  const own = node.isError || node.isMissing ? [`${node.startPosition.row + 1}: ${node.text}`] : [];
  return [...own, ...node.children.flatMap(faults)];
}

suite('TLA+', () => {
  let folder = '';
  let grammar: Grammar | null = null;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'poundlock-tla-'));
    grammar = await loadGrammar(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const needsGrammar = (t: TestContext): Grammar | null => {
    if (grammar === null) t.skip('npm can not install the grammar of TLA+ here');
    return grammar;
  };

  test('the grammar finds what is wrong', (t) => {
    const parser = needsGrammar(t);
    const wrong = '---- MODULE a ----\nA == /\\ 1 +\n====\n';
    if (parser !== null) assert.ok(faults(treeOf(parser, wrong)).length > 0);
  });

  for (const instance of [...examples(), ...models(false)]) {
    test(`${instance.name} ${JSON.stringify(instance.params)} is a module`, async (t) => {
      const exported = exportedOr(await kernelOf(instance), 'tla', instance.params);
      if ('refused' in exported) return t.skip(`optional: ${exported.refused}`);
      const { text } = exported;
      assert.match(text, /^-{4,} MODULE \w+ -{4,}\n/);
      const undefinedNames = missingDefinitions(text);
      assert.deepEqual(undefinedNames, []);
      const parser = needsGrammar(t);
      if (parser !== null) assert.deepEqual(faults(treeOf(parser, text)), []);
    });
  }
});

/** Operators that are used with arguments and defined nowhere. */
function missingDefinitions(text: string): string[] {
  const code = text
    .replaceAll(/\(\*[^]*?\*\)/g, '')
    .replaceAll(/\\\*.*$/gm, '')
    .replaceAll(/"[^"]*"/g, '""');
  const defined = new Set([...code.matchAll(/^(\w+)(?:\([^)]*\))? ==/gm)].map(([, name]) => name));
  const known = new Set(['Head', 'Tail', 'Len', 'Append', 'SubSeq', 'Cardinality']);
  const used = [...code.matchAll(/\b([A-Za-z]\w*)\(/g)].map(([, name]) => name!);
  return [...new Set(used)].filter((name) => !defined.has(name) && !known.has(name));
}
