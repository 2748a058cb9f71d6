// More exchanges of lanes than are looked at prove nothing of those that follow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<9>; .reg .pred %p<6>; .shared .align 4 .b8 word[256];
.shared .align 8 .b64 written; .shared .align 8 .b64 seen;`;

/**
 * Half of the lanes write words, and the others read all of them: another warp passes it on. Then
 * `last` is made by the same lanes, without a join.
 */
function handOver(words: number, last: string): string {
  const reads = Array.from({ length: words }, (_, at) => `ld.shared.u32 %r5, [word+${4 * at}];`);
  return `mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; setp.ne.u32 %p0, %r0, 0; @%p0 bra READY;
mbarrier.init.shared::cta.b64 [written], ${words}; mbarrier.init.shared::cta.b64 [seen], 1;
READY: bar.sync 0;
setp.ge.u32 %p1, %r0, 32; @%p1 bra OTHER;
setp.ge.u32 %p2, %r1, 16; @%p2 bra READ;
setp.ge.u32 %p3, %r1, ${words}; @%p3 bra MET;
shl.b32 %r2, %r1, 2; mov.u32 %r3, word; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;
mbarrier.arrive.shared::cta.b64 _, [written];
bra MET;
READ: mbarrier.try_wait.parity.shared::cta.b64 %p4, [seen], 0; @!%p4 bra READ;
${reads.join('\n')}
MET: ${last}
ret;
OTHER: setp.ne.u32 %p5, %r1, 0; @%p5 bra END;
LOOP: mbarrier.try_wait.parity.shared::cta.b64 %p4, [written], 0; @!%p4 bra LOOP;
mbarrier.arrive.shared::cta.b64 _, [seen];
END: ret;`;
}

async function verdictOf(words: number, last: string) {
  const text = kernelText(DECLARATIONS, handOver(words, last));
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
  const files = {
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  };
  return check(ptxKernel(files));
}

/** Lane 0 writes a word that lane 1 reads. */
const EXCHANGE = `setp.eq.u32 %p3, %r1, 0; @%p3 st.shared.u32 [word+128], 7;
setp.eq.u32 %p3, %r1, 1; @%p3 ld.shared.u32 %r6, [word+128];`;

test('few exchanges: lanes that another warp orders are certified, and no others', async () => {
  assert.equal((await verdictOf(2, '')).verdict, 'certified');
  const { verdict, findings } = await verdictOf(2, EXCHANGE);
  assert.equal(verdict, 'counterexample');
  assert.equal(findings[0]!.rule, 'unjoined-lanes');
});

test('many exchanges: what follows them is not certified', async () => {
  const { verdict, reason } = await verdictOf(16, EXCHANGE);
  assert.equal(verdict, 'inconclusive');
  assert.match(reason!, /touch the same bytes more often than is looked at \(kernel\.ptx:\d+/);
});
