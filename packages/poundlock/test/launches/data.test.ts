// Hangs that data decides: a finding with the data, and the pointer where it is not found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOf } from './verdict-of.ts';

/** Warp 0 waits for warp 1, which arrives where a word of memory says so. */
function meeting(test: string): string {
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry meeting(.param .u64 flags) .maxntid 64
{
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [flags]; ld.global.u32 %r2, [%rd1];
  mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 32; @%p1 bra OTHER;
  bar.sync 1, 64; bra END;
OTHER: ${test} @%p2 bra END;
  bar.arrive 1, 64;
END: ret;
}
`;
}

test('a word that skips an arrival is named, with its value', async () => {
  const { verdict, findings } = await verdictOf(meeting('setp.eq.s32 %p2, %r2, 7;'));
  assert.equal(verdict, 'counterexample');
  assert.match(findings[0]!.message, /^if each word of flags is 7: |^if flags\[0\] is 7: /);
  assert(findings[0]!.notes.some((note) => note.includes('--param 0=@FILE.json')));
});

test('what is computed of words is not solved, and the pointer is named', async () => {
  const text = meeting('mul.lo.s32 %r3, %r2, %r2; and.b32 %r3, %r3, 3; setp.eq.s32 %p2, %r3, 2;');
  const { verdict, reason } = await verdictOf(text);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason ?? '', /give what flags holds with --param 0=@FILE\.json/);
});
