// Sizes on the command line: what a verdict is about, in every report and in the certificate.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';

/** The consumer takes at most `most` tiles. */
const ringOf = (
  most: number,
): string => `import { count, end, kernel, loop, pipeline, role, tma } from 'poundlock';

export default kernel('ring', { tiles: 3 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 64 });
  const items = count(tiles);
  return [
    role('load', function* () {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        const slot = yield* ab.acquireProducer();
        tma.load(slot);
        slot.release();
        return null;
      });
      yield* ab.drain();
    }),
    role('use', function* () {
      yield* loop(0, function* (taken) {
        if (!(yield* items.more())) return end(null);
        if (taken >= ${most}) return taken;
        (yield* ab.acquireConsumer()).release();
        return Math.min(taken + 1, ${most});
      });
    }),
  ];
});
`;
const RIGHT = ringOf(9)
  .replace('loop(0,', 'loop(null,')
  .replace(/\n *if \(taken.*/, '')
  .replace(/Math.min.*/, 'null;');

interface Document {
  readonly results: readonly { readonly scope: object; readonly params: object }[];
  readonly findings: readonly { readonly params?: object; readonly replayCommand: string }[];
}

async function json(cwd: string, argv: readonly string[]): Promise<Document> {
  const { stdout } = await poundlock(cwd, ['check', ...argv, '--json']);
  return JSON.parse(stdout) as Document;
}

test('an error at another size names both sizes, and its command replays it', async (t) => {
  const cwd = folder(t, { 'ring.ts': ringOf(3) });
  const { code, stdout } = await poundlock(cwd, ['check', 'ring.ts']);
  assert.equal(code, 1);
  assert.match(stdout, /^error\[deadlock\]: at tiles=4 \(requested: tiles=3\): load /);
  assert.match(
    stdout,
    /tiles=3 itself is certified; .*--sizes requested checks the requested size/,
  );
  const { findings, results } = await json(cwd, ['ring.ts']);
  assert.deepEqual([findings[0]?.params, results[0]?.params], [{ tiles: 4 }, { tiles: 3 }]);
  const words = findings[0]!.replayCommand.replaceAll("'", '').split(' ').slice(1);
  assert.ok(words.includes('tiles=4'));
  const replayed = await poundlock(cwd, words);
  assert.equal(replayed.code, 1);
  assert.match(replayed.stdout, /^error\[deadlock\]: load /);
  const single = await poundlock(cwd, ['check', 'ring.ts', '--sizes', 'requested']);
  assert.deepEqual([single.code, /also/.test(single.stdout)], [0, false]);
});

test('a verdict says which sizes it is about, in every report', async (t) => {
  const cwd = folder(t, { 'ring.ts': RIGHT });
  for (const reporter of ['terminal', 'markdown', 'html']) {
    const { code, stdout } = await poundlock(cwd, ['check', 'ring.ts', '--reporter', reporter]);
    assert.equal(code, 0);
    assert.match(stdout, /ring \(tiles=3; also tiles=0–2 and 4\)/, reporter);
  }
  const { results } = await json(cwd, ['ring.ts']);
  const sizes = [{ parameter: 'tiles', certified: [0, 1, 2, 4], refused: [], open: [] }];
  const scope = { params: { tiles: 3 }, every: [], assumptions: [], sizes };
  assert.deepEqual(results[0]?.scope, scope);
});

/** Reports that name what a verdict rests on. */
const REPORTERS = ['terminal', 'markdown', 'html', 'github', 'sarif', 'json'];

test('what a proof for every value assumes is in every report, until the text proves it', async (t) => {
  // What becomes of a number in a list is not followed.
  const hidden = RIGHT.replace('count(tiles)', 'count([tiles][0])');
  const cwd = folder(t, { 'ring.ts': RIGHT, 'hidden.ts': hidden });
  const argv = ['check', 'hidden.ts', '--every', 'tiles'];
  for (const reporter of REPORTERS) {
    const { code, stdout } = await poundlock(cwd, [...argv, '--reporter', reporter]);
    assert.equal(code, 3, reporter);
    assert.match(stdout, /no role treats single values of tiles in a way of their own/, reporter);
  }
  const accepted = await poundlock(cwd, [...argv, '--accept', 'single-values']);
  assert.equal(accepted.code, 0);
  assert.match(accepted.stdout, /^certified .*\n[^]*\[single-values\]$/m);
  const proved = await poundlock(cwd, ['check', 'ring.ts', '--every', 'tiles']);
  assert.equal(proved.code, 0);
  assert.doesNotMatch(proved.stdout, /assumes/);
});

test('a text that compares the number cannot be accepted', async (t) => {
  const single = RIGHT.replace('const items', 'const name = tiles === 7 ? 1 : 1;\n  const items');
  const cwd = folder(t, { 'ring.ts': single });
  const argv = ['check', 'ring.ts', '--every', 'tiles', '--accept', 'single-values', '--json'];
  const { code, stdout } = await poundlock(cwd, argv);
  const [result] = (JSON.parse(stdout) as { results: { verdict: string; reason: string }[] })
    .results;
  assert.deepEqual([code, result!.verdict], [3, 'inconclusive']);
  assert.match(result!.reason, /tiles === 7/);
});

test('names of assumptions are a closed list, and two numbers are not one', async (t) => {
  const cwd = folder(t, { 'ring.ts': RIGHT });
  const misspelled = await poundlock(cwd, ['check', 'ring.ts', '--accept', 'lop-state']);
  assert.equal(misspelled.code, 2);
  assert.match(misspelled.stderr, /did you mean loop-state\?/);
  const two = await poundlock(cwd, ['check', 'ring.ts', '--every', 'tiles', '--every', 'stages']);
  assert.equal(two.code, 2);
  assert.match(two.stderr, /--every tiles --every stages/);
});

/** One block is tried before it is waited for, in a loop that is too long for all combinations. */
const TRIES = `import { arrive, barrier, kernel, role, tryWait, wait } from 'poundlock';

export default kernel('tries', { blocks: 40 }, ({ blocks }) => {
  const [full, empty] = [barrier('full'), barrier('empty')];
  return [
    role('load', function* () {
      for (let block = 0; block < blocks; block++) {
        if (block > 0) yield* wait(empty, block - 1);
        arrive(full);
      }
    }),
    role('use', function* () {
      for (let block = 0; block < blocks; block++) {
        if (!(yield* tryWait(full, block))) yield* wait(full, block);
        arrive(empty);
      }
    }),
  ];
});
`;

test('what sampled tries assume is in every report, until the text proves it', async (t) => {
  const otherwise = TRIES.replace(
    'if (!(yield* tryWait(full, block))) yield* wait(full, block);',
    'if (yield* tryWait(full, block)) continue_(); else yield* wait(full, block);',
  ).replace('export default', 'const continue_ = () => {};\nexport default');
  const cwd = folder(t, { 'tries.ts': TRIES, 'otherwise.ts': otherwise });
  for (const reporter of REPORTERS) {
    const argv = ['check', 'otherwise.ts', '--reporter', reporter];
    const { code, stdout } = await poundlock(cwd, argv);
    assert.equal(code, 3, reporter);
    assert.match(stdout, /only decide whether role use waits: \d+ sequences/, reporter);
  }
  assert.equal(
    (await poundlock(cwd, ['check', 'otherwise.ts', '--accept', 'try-results'])).code,
    0,
  );
  const proved = await poundlock(cwd, ['check', 'tries.ts']);
  assert.equal(proved.code, 0);
  assert.doesNotMatch(proved.stdout, /assumes/);
});

test('with a list of sizes each verdict is about its own', async (t) => {
  const cwd = folder(t, { 'ring.ts': ringOf(3), 'sizes.csv': 'tiles\n2\n3\n' });
  for (const list of [
    ['--sweep', 'tiles=1..3'],
    ['--cases', 'sizes.csv'],
  ]) {
    assert.equal((await poundlock(cwd, ['check', 'ring.ts', ...list])).code, 0);
  }
  const argv = ['check', 'ring.ts', '--sweep', 'tiles=2,3', '--sizes', 'around'];
  assert.equal((await poundlock(cwd, argv)).code, 1);
});

test('a certificate has the sizes, and each is proved again', async (t) => {
  const cwd = folder(t, { 'ring.ts': RIGHT });
  for (const [argv, certified] of [
    [[], [0, 1, 2, 4]],
    [['--sizes', 'requested'], undefined],
    [
      ['--every', 'tiles'],
      [0, 1, 2, 3, 4, 16, 17, 64, 65, 133, 1_000],
    ],
  ] as const) {
    await poundlock(cwd, ['check', 'ring.ts', ...argv, '--certificate', 'ring.json']);
    const document = JSON.parse(readFileSync(join(cwd, 'ring.json'), 'utf8')) as {
      sizes: { certified: number[] }[];
      assumptions: unknown[];
    };
    assert.deepEqual(document.sizes[0]?.certified, certified);
    // The text proves what cannot be observed.
    assert.deepEqual(document.assumptions, []);
    const { code, stderr } = await poundlock(cwd, ['check', '--verify', 'ring.json']);
    assert.deepEqual([code, stderr], [0, '']);
  }
  writeFileSync(join(cwd, 'ring.ts'), `${RIGHT}\n`);
  assert.equal((await poundlock(cwd, ['check', '--verify', 'ring.json'])).code, 2);
});
