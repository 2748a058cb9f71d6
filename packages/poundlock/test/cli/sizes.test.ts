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

test('what a proof for every value assumes is in every report', async (t) => {
  const cwd = folder(t, { 'ring.ts': RIGHT });
  for (const reporter of ['terminal', 'markdown', 'html', 'github', 'sarif', 'json']) {
    const argv = ['check', 'ring.ts', '--every', 'tiles', '--reporter', reporter];
    const { code, stdout } = await poundlock(cwd, argv);
    assert.equal(code, 0, reporter);
    assert.match(stdout, /no role treats single values of tiles in a way of their own/, reporter);
  }
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

test('what sampled tries assume is in every report', async (t) => {
  const cwd = folder(t, { 'tries.ts': TRIES });
  for (const reporter of ['terminal', 'markdown', 'html', 'github', 'sarif', 'json']) {
    const { code, stdout } = await poundlock(cwd, ['check', 'tries.ts', '--reporter', reporter]);
    assert.equal(code, 0, reporter);
    assert.match(stdout, /only decide whether role use waits: \d+ sequences/, reporter);
  }
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
      assumptions: string[];
    };
    assert.deepEqual(document.sizes[0]?.certified, certified);
    assert.equal(document.assumptions.length, argv[0] === '--every' ? 1 : 0);
    const { code, stderr } = await poundlock(cwd, ['check', '--verify', 'ring.json']);
    assert.deepEqual([code, stderr], [0, '']);
  }
  writeFileSync(join(cwd, 'ring.ts'), `${RIGHT}\n`);
  assert.equal((await poundlock(cwd, ['check', '--verify', 'ring.json'])).code, 2);
});
