// `certify`: what passes, what is thrown, and that nothing undecided or empty passes.
import assert, { AssertionError } from 'node:assert';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { kernel, pipeline, role, tma } from 'poundlock';
import { certify } from 'poundlock/test';
import gemm from '../../../../examples/gemm.ts';
import oneStage from '../../../../examples/broken/one-stage.ts';

const PTX = join(import.meta.dirname, '..', '..', '..', '..', 'examples', 'ptx');

/** A kernel of a test file: two tiles are held, so that one stage is too few. */
const twoTiles = kernel('two-tiles', { stages: 2 }, ({ stages }) => {
  const tiles = pipeline('tiles', { stages, bytes: 1024, advance: 'acquire' });
  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* tiles.produce();
      tma.load(slot);
    }
    yield* tiles.drain();
  });
  const use = role('use', function* () {
    const first = yield* tiles.acquireConsumer();
    const second = yield* tiles.acquireConsumer();
    first.release();
    second.release();
  });
  return [load, use];
});

/** The assertion that a call throws; anything else that it does fails. */
async function thrown(call: Promise<unknown>): Promise<AssertionError> {
  const error = await call.then(
    () => assert.fail('it passes'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AssertionError, String(error));
  return error;
}

test('certified sizes pass, with a result for each', async () => {
  const results = await certify(gemm, { stages: [1, 2, 3], tiles: 4 });
  assert.deepEqual(
    results.map(({ verdict, params }) => [verdict, params['stages'], params['tiles']]),
    [1, 2, 3].map((stages) => ['certified', stages, 4]),
  );
  const [every] = await certify(gemm, {}, { every: 'tiles' });
  assert.deepEqual(every?.scope.every, ['tiles']);
});

test('a counterexample is an assertion with the frame, as assert.fail throws it', async () => {
  const error = await thrown(certify(oneStage));
  // Jest and Vitest show an error of this shape as its message, without a comparison.
  const { name, code, operator, generatedMessage, actual, expected } = error;
  assert.deepEqual(
    { name, code, operator, generatedMessage, actual, expected },
    {
      name: 'AssertionError',
      code: 'ERR_ASSERTION',
      operator: 'fail',
      generatedMessage: false,
      actual: undefined,
      expected: undefined,
    },
  );
  const [heading] = error.message.split('\n');
  assert.match(heading!, /^one-stage \(.*\) is not certified: deadlock after 8 steps$/);
  assert.match(error.message, /^error\[deadlock\]: load and mma /m);
  assert.match(error.message, /╭─ .*examples\/broken\/one-stage\.ts\n/);
  assert.match(error.message, /replay: poundlock check \S*one-stage\.ts --replay l3t1m3a1$/m);
  // The first frame of the stack is the line of the test.
  assert.match(error.stack?.split('\n    at ')[1] ?? '', /certify\.test\.ts/);
});

test('a kernel that no command finds is replayed by the test', async () => {
  const error = await thrown(certify(twoTiles, { stages: [1, 2, 3] }));
  assert.match(error.message, /^two-tiles \(stages=1\) is not certified: deadlock/);
  assert.match(error.message, /^certified: stages=2 · stages=3$/m);
  const token = /certify with stages=1 and \{ replay: '(\w+)' \}/.exec(error.message)?.[1];
  assert.ok(token !== undefined, error.message);
  const replayed = await thrown(certify(twoTiles, { stages: 1 }, { replay: token }));
  assert.match(replayed.message, /^error\[deadlock\]/m);
  assert.match(replayed.message, /^ +\d+ .*load/m);
});

test('one schedule proves nothing: a replay does not pass', async () => {
  const error = await thrown(certify(gemm, {}, { replay: '', allowInconclusive: true }));
  assert.match(error.message, /ends without a finding/);
});

test('what a bound ends does not pass, unless that is requested', async () => {
  const bounds = { engine: 'search', maxStates: 3 } as const;
  const error = await thrown(certify(gemm, {}, bounds));
  assert.match(error.message, /^gemm \(.*\) is not certified: .*raise --max-states/);
  const [result] = await certify(gemm, {}, { ...bounds, allowInconclusive: true });
  assert.equal(result?.verdict, 'inconclusive');
  await thrown(certify(oneStage, {}, { allowInconclusive: true }));
});

test('an empty list, an unknown name and no kernel are errors', async () => {
  await assert.rejects(certify(gemm, { stages: [] }), /the list of values of stages is empty/);
  await assert.rejects(certify(gemm, { stage: 2 }), /did you mean stages\?/);
  await assert.rejects(certify({} as never), Error);
  await assert.rejects(certify('gemm.ts'), /pass the kernel that it exports/);
  await assert.rejects(certify('nowhere.ptx', {}, { launch: 'x.json' }), /nowhere\.ptx: no such/);
});

test('a PTX file with its launch, by path or URL', async () => {
  const fine = pathToFileURL(join(PTX, 'tile-sum.sm90a.ptx'));
  const launch = pathToFileURL(join(PTX, 'launch.json'));
  const [result] = await certify(fine, { tiles: 3 }, { launch });
  assert.equal(result?.kernel, 'tile_sum');
  const early = join(PTX, 'tile-sum-early-release.sm90a.ptx');
  const own = pathToFileURL(early.replace(/ptx$/, 'launch.json'));
  // Two calls at once do not share their launch.
  const [error, other] = await Promise.all([
    thrown(certify(early, {}, { launch: own, launchIndex: 0 })),
    certify(fine, { tiles: 1 }),
  ]);
  assert.equal(other.length, 1);
  assert.match(error.message, /^tile_sum \(tiles=16\) is not certified: race/);
  assert.match(error.message, /tile-sum-early-release\.cu\n/);
  assert.match(error.message, /--launch \S*launch\.json --launch-index 0 --replay \w+$/m);
});
