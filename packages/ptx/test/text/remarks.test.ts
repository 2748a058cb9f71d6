// Remarks on texts whose `.version` or `.target` is not that of their instructions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePtx } from '#src/text/parse';
import { remarksOf } from '#src/text/remarks';

const remarks = (version: string, target: string, line: string): string[] =>
  remarksOf(
    parsePtx(`.version ${version}
.target ${target}
.address_size 64
.entry k() { .reg .b32 r<4>; .reg .b64 d<4>; .reg .f32 f<4>; .reg .b16 h<4>; .reg .pred p; ${line} ret; }`),
  );

const UNFIT = [
  ['7.8', 'sm_90', 'cp.async.bulk.commit_group;', /needs PTX 8\.0.*\.version 7\.8/],
  ['8.0', 'sm_80', 'cp.async.bulk.commit_group;', /needs sm_90.*\.target sm_80/],
  ['8.0', 'sm_90', 'wgmma.fence.sync.aligned;', /needs sm_90a/],
  ['8.0', 'sm_90', 'ld.global.L2::evict_last.v4.b64 {d0, d1, d2, d3}, [d0];', /needs PTX 8\.8/],
  ['6.0', 'sm_70', 'max.NaN.f32 f0, f1, f2;', /needs PTX 7\.0/],
  ['99.0', 'sm_90', '', /newer than the table/],
  ['6.0', 'sm_60', '', /lanes are taken as independent/],
] as const;

test('a text that uses more than it says is remarked on once', () => {
  for (const [version, target, line, expected] of UNFIT) {
    const found = remarks(version, target, `${line} ${line}`);
    assert.equal(found.length, 1, line);
    assert.match(found[0]!, expected);
  }
});

test('a text that says what it uses has no remark', () => {
  for (const [version, target, line] of [
    ['8.0', 'sm_90a', 'wgmma.fence.sync.aligned;'],
    ['8.0', 'sm_90', 'cp.async.bulk.commit_group;'],
    ['6.3', 'sm_75', 'max.f32 f0, f1, f2; bar.sync 0; ld.relaxed.gpu.u32 r0, [d0];'],
  ] as const)
    assert.deepEqual(remarks(version, target, line), [], line);
});
