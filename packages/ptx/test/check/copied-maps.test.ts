// A tensor map that threads copy out of a parameter into shared memory has the box of that map.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;
.shared .align 128 .b8 tile[1024];
.shared .align 128 .b8 sm[128];`;
const PARAMETERS = '.param .u64 a, .param .align 64 .b8 maps[320]';
const BEGIN = `ld.param.u64 %rd0, [a]; mov.u32 %r0, %tid.x; mov.u32 %r1, 0;
setp.ne.u32 %p0, %r0, 0; @%p0 bra JOINED;`;

/** Copies a map out of the parameter, in moves of 8 or 4 bytes. */
function copy(offset: number, bytes: 8 | 4): string {
  const [type, first, second] = bytes === 8 ? ['u64', '%rd1', '%rd2'] : ['u32', '%r2', '%r3'];
  return Array.from({ length: 128 / (2 * bytes) }, (_, index) => {
    const at = 2 * bytes * index;
    return `ld.param.v2.${type} {${first}, ${second}}, [maps+${offset + at}];
      st.shared.v2.${type} [sm+${at}], {${first}, ${second}};`;
  }).join('\n');
}

const REPLACE = 'tensormap.replace.tile.global_address.shared::cta.b1024.b64 [sm], %rd0;';
const END = `JOINED: bar.warp.sync -1;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd0], [sm], 128;
@!%p0 fence.proxy.tensormap::generic.acquire.gpu [%rd0], 128;
@!%p0 st.shared.u32 [tile+512], %r1;
@!%p0 fence.proxy.async.shared::cta;
@!%p0 cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd0, {%r1}], [tile];
@!%p0 cp.async.bulk.commit_group;
bar.sync 0;
@!%p0 st.shared.u32 [tile+512], %r1;
@!%p0 cp.async.bulk.wait_group 0;
ret;`;

async function outcome(...lines: string[]): Promise<string> {
  const text = kernelText(DECLARATIONS, [BEGIN, ...lines, END].join('\n'), PARAMETERS);
  const map = (offset: number, boxBytes: number) => ({ parameter: 1, offset, boxBytes });
  const launch = {
    grid: [1, 1, 1],
    block: [32, 1, 1],
    parameters: [
      { offset: 0, size: 8, bytes: '00000000587f0000' },
      { offset: 64, size: 320, bytes: '00'.repeat(320) },
    ],
    tensorMaps: [map(64, 256), map(192, 1024)],
  };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings, reason } = await check(kernel);
  if (verdict === 'counterexample') return findings[0]!.rule;
  return verdict === 'inconclusive' ? reason! : verdict;
}

test('the box is that of the map which was copied', async () => {
  for (const bytes of [8, 4] as const) {
    assert.equal(await outcome(copy(64, bytes), REPLACE), 'certified');
    // A store of 1024 bytes is not over where the tile is written again.
    assert.equal(await outcome(copy(192, bytes), REPLACE, REPLACE), 'race');
  }
});

test('nothing is known of a map of which a part came from elsewhere', async () => {
  const box = /does not give the box of the tensor map/;
  const part = 'ld.param.u32 %r2, [maps+8]; st.shared.u32 [sm+96], %r2;';
  assert.match(await outcome(copy(64, 8), part, REPLACE), box);
  // What is stored after a change is not part of the map that was changed.
  assert.match(await outcome(copy(64, 8), REPLACE, part, REPLACE), box);
  assert.match(await outcome(copy(80, 8), REPLACE), box);
  const resized = 'tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [sm], 0, 7;';
  assert.match(await outcome(copy(64, 8), resized), box);
});
