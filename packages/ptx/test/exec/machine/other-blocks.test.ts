// What a verdict takes for granted of the blocks that were not executed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

async function assumedOf(launch: object): Promise<string[]> {
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text: kernelText('', 'bar.sync 0; ret;') },
    launch: { file: 'l.json', text: JSON.stringify({ block: [64, 1, 1], params: [], ...launch }) },
  });
  const { verdict, scope } = await check(kernel, { sizes: 'requested' });
  assert.equal(verdict, 'certified');
  return scope.assumptions.map(({ text }) => text.replace(/ \(.*$/, ''));
}

test('a grid of one block, or of one cluster, is checked as a whole', async () => {
  assert.deepEqual(await assumedOf({ grid: [1, 1, 1] }), []);
  assert.deepEqual(await assumedOf({ grid: [4, 1, 1], cluster: [4, 1, 1] }), []);
});

test('of a larger grid all blocks are in classes, and no word is said of others', async () => {
  assert.deepEqual(await assumedOf({ grid: [64, 32, 1] }), []);
  assert.deepEqual(await assumedOf({ grid: [4, 2, 1], cluster: [2, 2, 1] }), []);
});

test('blocks that the first one asks for are its own', async () => {
  const launch = { grid: [4, 1, 1], clusterLaunchControl: [1, 2, 3] };
  assert.deepEqual(await assumedOf(launch), []);
});

test('generic loads of the memory of a cluster are no waits for other clusters', async () => {
  const body = (address: string): string => `mov.u32 %r0, 0; mov.u64 %rd1, word;
    cvta.shared.u64 %rd0, %rd1; st.shared.u32 [word], %r0;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    ROUND: mapa.u64 %rd2, %rd0, %r0; ld.param.u64 %rd3, [from];
    ld.volatile.u32 %r1, [${address}]; add.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 2; @%p0 bra ROUND;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret;`;
  const verdictOf = async (address: string): Promise<string> => {
    const declared = `.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; .shared .b32 word;`;
    const text = kernelText(declared, body(address), '.param .u64 from');
    const params = [{ kind: 'pointer', bytes: 64 }];
    const launch = { grid: [4, 1, 1], cluster: [2, 1, 1], block: [32, 1, 1], params };
    const kernel = ptxKernel({
      ptx: { file: 'k.ptx', text },
      launch: { file: 'l.json', text: JSON.stringify(launch) },
    });
    const { verdict, reason } = await check(kernel, { sizes: 'requested' });
    return `${verdict} ${reason ?? ''}`;
  };
  assert.match(await verdictOf('%rd2'), /^certified/);
  // All clusters are executed, each with a barrier of its own.
  assert.match(await verdictOf('%rd3'), /^certified/);
});
