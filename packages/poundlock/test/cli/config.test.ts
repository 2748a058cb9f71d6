// The part `check` of poundlock.config: what each check of a project takes for granted, and refuses.
import assert from 'node:assert/strict';
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
