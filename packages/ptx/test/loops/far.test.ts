// tier: deep
// What a round far behind every number that is run does otherwise is not proved away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernelText } from '../kernel-text.ts';
import { everyNumberOf } from './every-number.ts';

/** A loop of one warp in which `%r2` is 1 in round 1000, else 0. */
function loopWith(body: string): string {
  return kernelText(
    `.reg .b32 %r<8>; .reg .pred %p<4>; .shared .align 8 .b8 word[16];`,
    `ld.param.u32 %r1, [n]; mov.u32 %r0, 0; mov.u32 %r6, %tid.x; setp.eq.u32 %p0, %r1, 0; @%p0 bra END;
     LOOP: setp.eq.u32 %p1, %r0, 1000; selp.b32 %r2, 1, 0, %p1; add.u32 %r3, %r2, 1;
     ${body}
     add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, %r1; @%p0 bra LOOP;
     END: ret;`,
    '.param .u32 n',
  );
}

const store = (word: number): string => `st.volatile.shared.u32 [word+${word}], %r0;`;

const FAR = {
  'which named barrier it meets at': 'bar.sync %r3, 32;',
  'how many threads meet': 'shl.b32 %r3, %r3, 5; bar.sync 1, %r3;',
  'an entry of a table of branches': `brx.idx %r2, ways; ways: .branchtargets ONE, TWO;
     ONE: ${store(0)} bra BOTH; TWO: ${store(4)} BOTH:`,
  'lanes that store': `setp.eq.u32 %p2, %r6, %r2; @%p2 ${store(0)} bar.warp.sync -1;`,
  'equal stores of lanes': `setp.eq.u32 %p2, %r6, 0; @%p2 st.shared.u32 [word], %r2;
     setp.eq.u32 %p2, %r6, 1; @%p2 st.shared.u32 [word], 0;`,
};

for (const [name, body] of Object.entries(FAR))
  test(`not proved: ${name}`, () => {
    const periods = everyNumberOf(loopWith(body), 32).find();
    assert.ok(periods === null || periods.unproved !== null);
  });

test('the same without it is proved', () => {
  const same = Object.values({ ...FAR, 'equal stores of lanes': '' }).map((body) =>
    body
      .replaceAll('%r2', '0')
      .replaceAll('%r3', '1')
      .replace('shl.b32 1, 1, 5; bar.sync 1, 1;', 'bar.sync 1, 32;'),
  );
  for (const body of [same[0]!, same[3]!]) {
    const periods = everyNumberOf(loopWith(body), 32).find();
    assert.deepEqual([periods?.step, periods?.unproved], [1, null], body);
  }
});
