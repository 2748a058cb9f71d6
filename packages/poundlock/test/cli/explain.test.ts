// `poundlock explain` knows every word that a verdict prints.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BOUND_NAMES } from '@poundlock/core/internal/base';
import { ALL_RULES, ASSUMPTION_NAMES } from '@poundlock/core/internal/finding';
import { CATALOGUE } from '@poundlock/core/internal/op';
import { ENGINES, MEMORY_PROFILES } from '#src/check/index';
import { countConditions } from '#src/check/conditions';
import { pageOf } from '#src/cli/explain/page-of';
import { PLAIN } from '#src/report/index';
import { folder, poundlock } from './fake-host.ts';
import gemm from '../../../../examples/gemm.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/** What has no page, of the words that are asked. */
function unexplained(words: Iterable<string>): string[] {
  return [...new Set(words)].filter((word) => {
    try {
      return pageOf(word, PLAIN) === '';
    } catch {
      return true;
    }
  });
}

/** The files below a folder of the repository, with an ending. */
function textsOf(path: string, ending: string): string[] {
  const all = readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' });
  return all
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(ROOT, path, file), 'utf8'));
}

test('names of all tables', () => {
  const engines = ENGINES.filter((engine) => engine !== 'auto');
  const rules = CATALOGUE.map(({ rule }) => rule);
  const memory = MEMORY_PROFILES.map((profile) => `memory ${profile}`);
  const names = [...ALL_RULES, ...ASSUMPTION_NAMES, ...BOUND_NAMES, ...engines, ...memory];
  assert.deepEqual(unexplained([...names, ...rules]), []);
});

test('the conditions of a certificate file', () => {
  const conditions = Object.keys(countConditions(gemm)!);
  assert.ok(conditions.length > 5);
  assert.deepEqual(unexplained(conditions.map((name) => `condition ${name}`)), []);
});

/** Words that a verdict names for a reader to ask. */
const PRINTED: readonly RegExp[] = [
  /(?:error|warning|assumption)\[([\w-]+)\]/g,
  / \[([a-z]+(?:-[a-z]+)+)\](?= \(|$)/gm,
  /\bassumes: (H\d+)\b/g,
  /· (built from one run)/g,
  /by certificate, [\d,]+ ([a-z ]+),/g,
  /^(certified|counterexample|inconclusive|could not run) /gm,
  /--accept ([\w-]+)/g,
  /not reached: ([a-z][\w.]+)/g,
];

test('words that the verdicts of the goldens and the documentation print', () => {
  const texts = [...textsOf('packages/poundlock/test/golden', '.txt'), ...textsOf('docs', '.md')];
  const words = PRINTED.map((pattern) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, word]) => word!)),
  );
  for (const [index, found] of words.entries()) {
    const shown = found.filter((word) => word !== 'NAME');
    assert.ok(shown.length > 0, `nothing is like ${PRINTED[index]}`);
    assert.deepEqual(unexplained(shown), [], String(PRINTED[index]));
  }
});

test('bounds that sources name are in their list', () => {
  const texts = ['core', 'poundlock', 'ptx'].flatMap((name) =>
    textsOf(`packages/${name}/src`, '.ts'),
  );
  const code = texts.join('\n').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const named = [...code.matchAll(/the bound ([a-z-]+) of /g)].map(([, name]) => name!);
  assert.ok(named.length > 3);
  assert.deepEqual(
    named.filter((name) => !(BOUND_NAMES as readonly string[]).includes(name)),
    [],
  );
});

test('a part of a message as it stands', async (t) => {
  const cwd = folder(t);
  for (const [words, pattern] of [
    [['choice', 'points'], /^choice point: /],
    [['phase', '-1'], /^phase -1: /],
    [['for ab.empty[0] phase -1, fresh'], /^phase -1: [^]*^fresh: /m],
    [['by certificate, 10 choice points'], /^by certificate: [^]*^choice point: /m],
    [['h1'], /^assumption\[H1\]/],
    [['M07'], /^M07, a rule of the semantics: A wait for parity p passes/],
    [['mbarrier.try_wait'], /^mbarrier\.try_wait/],
    [['wgmma.wait_group.sync.aligned 0'], /^wgmma\.wait_group/],
    [['st.param.f32'], /^st/],
    [['barriers'], /^barrier: /],
    [['meet in one instance'], /^instance: /],
    [['a trap is not reached [no-trap]'], /^assumption\[no-trap\]/m],
  ] as const) {
    const { code, stdout, stderr } = await poundlock(cwd, ['explain', ...words]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, pattern);
  }
});

test('a word that is a function and a part of an instruction is explained as both', async (t) => {
  const { code, stdout } = await poundlock(folder(t), ['explain', 'wait']);
  assert.equal(code, 0);
  assert.match(stdout, /^wait: Blocks until a phase has completed/);
  assert.match(stdout, /^griddepcontrol/m);
});
