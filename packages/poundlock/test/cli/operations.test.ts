// `poundlock operations` and its page: every function of the program text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATALOGUE } from '@poundlock/core/internal/op';
import { FUNCTIONS } from '@poundlock/core/internal/pipeline';
import * as face from 'poundlock';
import { wordsOf } from '#src/cli/operations';
import { expectPage } from '../generated-page.ts';
import { main } from '#src/cli/main';
import { fakeHost, folder, poundlock } from './fake-host.ts';

const ENTRIES = Object.values(FUNCTIONS).flat();
const NAMES = ENTRIES.map(({ name }) => name);

const BEGIN = `# Operations

Every function of the program text: its options, what PTX, CUTLASS C++, CuTe DSL and Mojo call it, what \`simulate\` takes
for it, and its rule in the [semantics](semantics.md). \`poundlock operations WORD\` prints one, by its name here or there,
such as \`poundlock operations producer_acquire\`. \`ab\` is a pipeline, \`slot\` and \`tile\` are handles of its stages. Where an
option has words, they are listed; \`npm run docs:api\` writes the reference with a sentence on each.

Produced by a test (\`UPDATE_DOCS=1 npm test -- packages/poundlock/test/cli/operations.test.ts\`).
`;

const HEAD = '| function | elsewhere | cost | rule |';

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function code(text: string): string {
  return text === '' ? '' : `\`${cell(text)}\``;
}

/** Each of these words, with its name; not those that are empty. */
function named(words: Readonly<Record<string, string>>): readonly string[] {
  const known = Object.entries(words).filter(([, text]) => text !== '');
  return known.map(([name, text]) => `${name} ${code(text)}`);
}

/** Lines of a cell. */
function lines(texts: readonly string[]): string {
  return texts.join('<br>');
}

test('the page of operations is that of the catalogue', () => {
  const text = Object.entries(FUNCTIONS).map(([title, entries]) => {
    const rows = entries.map((entry) => {
      const { call, options, cost, rule, ...words } = wordsOf(entry);
      const first = [`${code(call)}: ${cell(entry.does)}`, ...named({ options })];
      return `| ${[lines(first), lines(named(words)), cost, rule].join(' | ')} |\n`;
    });
    return `\n## ${title}\n\n${HEAD}\n|${'---|'.repeat(4)}\n${rows.join('')}`;
  });
  expectPage('docs/reference/operations.md', BEGIN + text.join(''));
});

/** Functions of a namespace or a prototype that a program can call. */
function callable(owner: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);
}

test('every function that a program can call has an entry, and no other', () => {
  const isClass = (name: string): boolean => /^[A-Z]/.test(name);
  const ofKernels = callable(face).filter((name) => !isClass(name));
  const { tma, mma, ProducerConsumerPipeline } = face;
  const expected = [
    ...ofKernels,
    ...callable(tma).map((name) => `tma.${name}`),
    ...callable(mma).map((name) => `mma.${name}`),
    ...callable(ProducerConsumerPipeline.prototype).map((name) => `ab.${name}`),
  ];
  const named = NAMES.filter((name) => !/^(?:slot|tile)\./.test(name));
  assert.deepEqual(named.toSorted(), expected.toSorted());
});

test('methods of handles exist', () => {
  const handles = [
    face.ProducerStage,
    face.ConsumerStage,
    face.ProduceContext,
    face.ConsumeContext,
  ] as const;
  for (const name of NAMES.filter((each) => /^(?:slot|tile)\./.test(each))) {
    const [, method = ''] = name.split('.');
    assert.ok(
      handles.some(({ prototype }) => method in prototype),
      name,
    );
  }
});

test('every operation of the instruction set is performed by a function', () => {
  const performed = new Set(ENTRIES.flatMap(({ operations }) => operations));
  assert.deepEqual(
    CATALOGUE.filter((entry) => !performed.has(entry)).map(({ name }) => name),
    [],
  );
});

test('a function that can block is called with yield*', () => {
  for (const { name, call, operations } of ENTRIES) {
    const [first] = operations;
    if (first === undefined || name === 'count' || name === 'ab.postWaitProducer') continue;
    if (name === 'setMaxRegisters' || name === 'syncWarp') continue;
    assert.equal(call.includes('yield*'), first.yields, name);
  }
});

test('a function by its name, here and elsewhere', async (t) => {
  const cwd = folder(t);
  for (const [word, pattern] of [
    ['tma.load', /^tma\.load: /],
    ['produce', /^ab\.produce: [^]*CUTLASS  producer_acquire/],
    ['producer_acquire', /^ab\.produce: /],
    ['mbarrier.expect_tx', /^expectTx: /m],
    ['wait()', /^wait: [^]*options {2}sem: acquire \| relaxed; scope: cta/],
    ['named barrier', /^namedBarrier: /],
    ['commitGroup', /options {2}unit: UNITS\.tma \| /],
    ['store', /^store: [^]*\nthe word is also in\n {2}asyncCopy: /],
    ['groups', /^the word is in\n {2}mma\.waitGroup: /],
  ] as const) {
    const { code: exit, stdout } = await poundlock(cwd, ['operations', ...word.split(' ')]);
    assert.equal(exit, 0);
    assert.match(stdout, pattern);
  }
});

test('in a terminal no line is wider than it', async (t) => {
  const cwd = folder(t);
  const { host, written } = fakeHost(cwd);
  const terminal = { ...host, stdout: { ...host.stdout, isTerminal: true, columns: 80 } };
  for (const words of [[], ['asyncCopy'], ['wait'], ['mbarrier']])
    assert.equal(await main(['operations', ...words], terminal), 0);
  const lines = written.stdout.split('\n');
  assert.ok(lines.length > ENTRIES.length);
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
});

test('all functions, and a word that none has', async (t) => {
  const cwd = folder(t);
  const { stdout } = await poundlock(cwd, ['operations']);
  for (const name of NAMES) assert.ok(stdout.includes(`  ${name} `), name);
  const { code: exit, stderr } = await poundlock(cwd, ['operations', 'asynCopy']);
  assert.equal(exit, 2);
  assert.match(stderr, /did you mean asyncCopy\?/);
});
