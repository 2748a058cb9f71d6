// `check` of a kernel as built in all blocks of its grid, and of one of them: `--only-block`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { kernelText } from '../../../ptx/test/kernel-text.ts';
import { reportFaults } from '../report/report-schema.ts';
import { folder, poundlock } from './fake-host.ts';

const DECLARED = '.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .shared .align 8 .b64 full;';
const BASES = `ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0; mul.wide.u32 %rd1, %r3, 4;
add.u64 %rd2, %rd0, %rd1; setp.eq.u32 %p0, %r0, 0;`;
/** The sixth block does not arrive. */
const STUCK = `@%p0 mbarrier.init.shared.b64 [full], 32; bar.sync 0; setp.eq.u32 %p1, %r1, 5;
@%p1 bra WAIT; mbarrier.arrive.shared.b64 _, [full];
WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra WAIT;`;
/** Each block reads what the next one writes. */
const MEETING = 'bar.sync 0; st.global.u32 [%rd2], %r3; ld.global.u32 %r4, [%rd2+128];';

function kernelIn(t: TestContext, body: string, grid = [8, 1, 1]): string {
  const launch = { grid, block: [32, 1, 1], params: [{ kind: 'pointer' }] };
  return folder(t, {
    'kernel.ptx': kernelText(DECLARED, `${BASES} ${body} ret;`, '.param .u64 out'),
    'launch.json': JSON.stringify(launch),
  });
}

interface Result {
  readonly scope: { readonly blocks?: unknown };
}

async function resultOf(cwd: string, ...words: string[]): Promise<Result> {
  const { stdout } = await poundlock(cwd, ['check', 'kernel.ptx', '--json', ...words]);
  const document = JSON.parse(stdout) as { results: Result[] };
  assert.deepEqual(reportFaults(document), []);
  return document.results[0]!;
}

test('an error of another block names it, and is replayed in that block', async (t) => {
  const cwd = kernelIn(t, STUCK);
  const { code, stdout } = await poundlock(cwd, ['check', 'kernel.ptx']);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /it happens in block \(5, 0, 0\) of 8; block \(0, 0, 0\) itself is certified/,
  );
  const [, words = ''] =
    /replay: poundlock (check .* --only-block 5,0,0 --replay \S+)/.exec(stdout) ?? [];
  const replay = await poundlock(cwd, words.split(' '));
  assert.equal(replay.code, 1);
  assert.match(replay.stdout, /error\[deadlock\]/);
});

test('one block alone has a verdict of its own, which says so', async (t) => {
  const cwd = kernelIn(t, STUCK);
  const right = await poundlock(cwd, ['check', 'kernel.ptx', '--only-block', '4']);
  assert.equal(right.code, 0);
  assert.match(right.stdout, /^certified {2}kernel \(block 4,0,0 of 8 alone\): /m);
  const wrong = await poundlock(cwd, ['check', 'kernel.ptx', '--only-block', '5,0,0']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /kernel \(block 5,0,0 of 8 alone\): deadlock/);
  const { scope } = await resultOf(cwd, '--only-block', '4');
  assert.deepEqual(scope.blocks, {
    total: 8,
    clusterSize: 1,
    isAlone: true,
    classes: [{ block: [4, 0, 0], ranges: [[4, 4]] }],
  });
});

test('two blocks that meet are replayed together', async (t) => {
  const cwd = kernelIn(t, MEETING);
  const { code, stdout } = await poundlock(cwd, ['check', 'kernel.ptx']);
  assert.equal(code, 1);
  assert.match(stdout, /it happens between block \(0, 0, 0\) and block \(1, 0, 0\) of 8/);
  const [, words = ''] =
    /replay: poundlock (check .* --only-block 0,0,0 --only-block 1,0,0 --replay \S+)/.exec(
      stdout,
    ) ?? [];
  const replay = await poundlock(cwd, words.split(' '));
  assert.equal(replay.code, 1);
  assert.match(replay.stdout, /error\[race\]/);
});

test('classes of blocks are in the report, and below the claim', async (t) => {
  const tail = `setp.gt.u32 %p1, %r1, 5; @%p1 bra END; ${STUCK.replace('%r1, 5', '%r1, 9')} END:`;
  const cwd = kernelIn(t, tail);
  const { scope } = await resultOf(cwd);
  assert.deepEqual(scope.blocks, {
    total: 8,
    clusterSize: 1,
    classes: [
      { block: [0, 0, 0], ranges: [[0, 5]] },
      { block: [7, 0, 0], ranges: [[6, 7]] },
    ],
  });
  const { stdout } = await poundlock(cwd, ['check', 'kernel.ptx']);
  assert.match(stdout, /note: covers 8 blocks in 2 classes \(0–5, 6–7\)/);
});

test('a block that the grid does not have is refused, and one of a program', async (t) => {
  const cwd = kernelIn(t, STUCK);
  for (const [words, message] of [
    [
      ['kernel.ptx', '--only-block', '8'],
      /the grid of launch.json has 8 × 1 × 1 blocks: there is no block 8,0,0/,
    ],
    [['kernel.ptx', '--only-block', '1,2,3,4'], /more than three numbers/],
    [['kernel.ptx', '--only-block', 'x'], /--only-block/],
    [
      ['kernel.ptx', '--only-block', '1', '--only-block', '2', '--only-block', '3'],
      /one block .* or two, not 3/,
    ],
    [['kernel.ts', '--only-block', '1'], /--only-block has no effect: it is for PTX files/],
  ] as const) {
    const { code, stderr } = await poundlock(cwd, ['check', ...words]);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
