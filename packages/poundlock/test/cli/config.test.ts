// The part `check` of poundlock.config: what each check of a project takes for granted, and refuses.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';

/** What becomes of a number in a list is not followed: a proof for every number assumes it. */
const HIDDEN = `import { count, end, kernel, loop, pipeline, role, tma } from 'poundlock';
export default kernel('ring', { tiles: 3 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 64 });
  const items = count([tiles][0]);
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
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        (yield* ab.acquireConsumer()).release();
        return null;
      });
    }),
  ];
});
`;

/** A barrier that is left in the middle of a phase: a warning. */
const LEFT = `import { arrive, barrier, kernel, role } from 'poundlock';
export default kernel('left', {}, () => {
  const b = barrier('b', { count: 2 });
  return [role('one', function* () { arrive(b); })];
});
`;

const EVERY = ['check', 'ring.ts', '--every', 'tiles'];

test('names of assumptions that a project accepts', async (t) => {
  const config = `export default { lint: {}, check: { accept: ['Single-Values'] } };`;
  const cwd = folder(t, {
    'ring.ts': HIDDEN,
    'in/poundlock.config.ts': config,
    'in/ring.ts': HIDDEN,
  });
  assert.equal((await poundlock(cwd, EVERY)).code, 3);
  const { code, stdout } = await poundlock(join(cwd, 'in'), EVERY);
  assert.deepEqual([code, /\[single-values\]$/m.test(stdout)], [0, true]);
});

test('rules that a project denies, by a constant and beside those of the command line', async (t) => {
  const config = `const options = { check: { deny: ['not-quiescent'] } } satisfies object;
export default options;`;
  const cwd = folder(t, { 'left.ts': LEFT });
  const argv = ['check', 'left.ts', '--deny', 'undeclared-size'];
  assert.equal((await poundlock(cwd, argv)).code, 0);
  const denying = folder(t, { 'left.ts': LEFT, 'poundlock.config.ts': config });
  assert.equal((await poundlock(denying, argv)).code, 1);
});

const WRONG: Readonly<Record<string, readonly [config: string, line: RegExp]>> = {
  'an unknown name': [
    `export default { check: { accept: ['lop-state'] } };`,
    /did you mean loop-state\?/,
  ],
  'an unknown key': [`export default { check: { acept: [] } };`, /did you mean 'accept'\?/],
  'a computed word': [
    `export default { check: { accept: ['a' + 'b'] } };`,
    /config\.ts:1:36: accept: write/,
  ],
  'a part from elsewhere': [
    `import x from './x.ts';\nexport default { check: x };`,
    /config\.ts:2:18: check: write/,
  ],
  'a computed export': [
    `export default make({ check: { accept: [] } });`,
    /config\.ts:1:1: the export: write/,
  ],
};

for (const [what, [config, line]] of Object.entries(WRONG))
  test(`a configuration with ${what} is refused`, async (t) => {
    const cwd = folder(t, { 'left.ts': LEFT, 'poundlock.config.ts': config });
    const { code, stderr } = await poundlock(cwd, ['check', 'left.ts']);
    assert.equal(code, 2);
    assert.match(stderr, line);
  });

test('a configuration is read and not executed', async (t) => {
  const config = `throw new Error('executed');\nexport default { lint: { presets: [] } };`;
  const cwd = folder(t, { 'left.ts': LEFT, 'poundlock.config.ts': config });
  assert.equal((await poundlock(cwd, ['check', 'left.ts'])).code, 0);
});

test('sweep and record take names of assumptions, too', async (t) => {
  const cwd = folder(t, { 'ring.ts': HIDDEN });
  const sweep = ['sweep', 'ring.ts', '--over', 'tiles=1..2'];
  const wrong = await poundlock(cwd, [...sweep, '--accept', 'lop-state']);
  assert.match(wrong.stderr, /did you mean loop-state\?/);
  const useless = await poundlock(cwd, [...sweep, '--verb', 'simulate', '--accept', 'poll']);
  assert.match(useless.stderr, /--accept has no effect without --verb check/);
  const unchecked = await poundlock(cwd, ['record', '--accept', 'poll', '--', 'true']);
  assert.match(unchecked.stderr, /--accept has no effect without --check/);
  const named = await poundlock(cwd, ['record', '--check', '--accept', 'pol', '--', 'true']);
  assert.match(named.stderr, /did you mean poll\?/);
  for (const { code } of [wrong, useless, unchecked, named]) assert.equal(code, 2);
});

test('two numbers are not proved at once, by any verb', async (t) => {
  const cwd = folder(t, { 'ring.ts': HIDDEN });
  for (const verb of ['check', 'advise']) {
    const argv = [verb, 'ring.ts', '--every', 'tiles', '--every', 'stages'];
    const { code, stderr } = await poundlock(cwd, argv);
    assert.deepEqual([code, /--every tiles --every stages/.test(stderr)], [2, true], verb);
  }
});

/** A kernel whose consumer keeps two stages of a ring. */
const TWO = `import { kernel, pipeline, read, role, tma } from 'poundlock';
export default kernel('two', { stages: 1, tiles: 4 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 64, advance: 'acquire' });
  return [
    role('load', function* () {
      for (let tile = 0; tile < tiles; tile++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
      yield* ab.drain();
    }),
    role('use', function* () {
      for (let tile = 0; tile < tiles; tile += 2) {
        const first = yield* ab.acquireConsumer();
        const second = yield* ab.acquireConsumer();
        read(first.buffer());
        first.release();
        read(second.buffer());
        second.release();
      }
    }),
  ];
});
`;

const SUM = join(import.meta.dirname, '../../../../examples/ptx');

function resultsIn(stdout: string) {
  type Shown = { file: string; verdict: string; params: object; scope: { every: string[] } };
  return (JSON.parse(stdout) as { results: Shown[] }).results;
}

test('check without a file checks the kernels of the project, each with its options', async (t) => {
  const config = `const files = ['kernels/*.ts'];
export default {
  check: {
    memory: 'none',
    kernels: [
      { files, set: { stages: 2 }, sizes: 'requested' },
      { files: 'ring.ts', every: 'tiles', accept: ['single-values'] },
      { files: 'built/tile-sum.sm90a.ptx', launch: 'built/sum.json', set: { tiles: 2 }, sizes: 'requested' },
    ],
  },
} satisfies object;`;
  const cwd = folder(t, {
    'poundlock.config.ts': config,
    'kernels/two.ts': TWO,
    'ring.ts': HIDDEN,
    'below/note.txt': '',
    'built/tile-sum.sm90a.ptx': readFileSync(join(SUM, 'tile-sum.sm90a.ptx'), 'utf8'),
    'built/sum.json': readFileSync(join(SUM, 'launch.json'), 'utf8'),
  });
  const { code, stdout, stderr } = await poundlock(cwd, ['check', '--json']);
  assert.equal(code, 0, stderr + stdout);
  const shown = resultsIn(stdout).map(({ file, verdict }) => `${file} ${verdict}`);
  assert.deepEqual(shown, [
    'kernels/two.ts certified',
    'ring.ts certified',
    'built/tile-sum.sm90a.ptx certified',
  ]);
  assert.deepEqual(resultsIn(stdout)[1]!.scope.every, ['tiles']);
  const from = await poundlock(join(cwd, 'below'), ['check', '--deny', 'not-quiescent', '--json']);
  assert.equal(from.code, 0, from.stderr);
  assert.equal(resultsIn(from.stdout)[0]!.file, '../kernels/two.ts');
});

test('the worst kernel of a project decides the exit code', async (t) => {
  const kernels = [1, 2].map((stages) => ({
    files: 'two.ts',
    set: { stages },
    sizes: 'requested',
  }));
  const manifest = JSON.stringify({ poundlock: { check: { kernels } } });
  const { code, stdout } = await poundlock(folder(t, { 'package.json': manifest, 'two.ts': TWO }), [
    'check',
    '--json',
  ]);
  assert.equal(code, 1);
  assert.deepEqual(
    resultsIn(stdout).map(({ verdict }) => verdict),
    ['counterexample', 'certified'],
  );
});

test('package.json has the configuration, too, and a launch in parts', async (t) => {
  const kernels = [{ files: 'sum.ptx', block: 64, grid: [1, 1, 1], param: { 2: 3 } }];
  const cwd = folder(t, {
    'package.json': JSON.stringify({ poundlock: { check: { kernels } } }),
    'sum.ptx': readFileSync(join(SUM, 'tile-sum.sm90a.ptx'), 'utf8'),
  });
  const { code, stdout, stderr } = await poundlock(cwd, ['check']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^certified {2}tile_sum \(block 64/m);
});

test('check without a file and without a configuration says how to write one', async (t) => {
  const { code, stderr } = await poundlock(folder(t), ['check']);
  assert.equal(code, 2);
  assert.match(stderr, /poundlock init/);
  const options = await poundlock(folder(t), ['check', '--replay', 'a1']);
  assert.match(options.stderr, /--replay needs a FILE/);
});

for (const [kernels, line] of [
  [[{ file: 'a.ts' }], /kernels\[0\] has no option 'file': did you mean 'files'\?/],
  [[{ files: 'a.ts', block: [1, 2, 3, 4] }], /block.* must be a number/],
  [[{ set: {} }], /kernels\[0\] names no files/],
  [[{ files: '*.ptx' }], /\*\.ptx: no such file/],
] as const)
  test(`kernels that are refused: ${JSON.stringify(kernels)}`, async (t) => {
    const manifest = JSON.stringify({ poundlock: { check: { kernels } } });
    const { code, stderr } = await poundlock(folder(t, { 'package.json': manifest }), ['check']);
    assert.equal(code, 2);
    assert.match(stderr, line);
  });
