// One try whose answer decides what the warp does: it may fail, and where it succeeds it is a wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const DECLARED = `.reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
.shared .align 128 .b8 tile[128]; .shared .align 8 .b8 bars[16];`;
const BASES = `ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31;
setp.eq.u32 %p0, %r1, 0; setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r3, 0;
@%p0 mbarrier.init.shared::cta.b64 [bars], 1; @%p0 mbarrier.init.shared::cta.b64 [bars+8], 1;
bar.sync 0; @!%p1 bra C; @!%p2 bra END;`;

const arrive = (at: number, guard = ''): string =>
  `${guard} mbarrier.arrive.shared::cta.b64 _, [bars+${at}];`;
const wait = (at: number, name: string): string =>
  `${name}: mbarrier.try_wait.parity.shared::cta.b64 %p7, [bars+${at}], 0; @!%p7 bra ${name};`;
const STORE = 'st.shared.u32 [tile], %r1;';
const LOAD = 'ld.shared.u32 %r5, [tile]; st.global.u32 [%rd1], %r5;';
const FREE = `bar.warp.sync -1; ${arrive(8, '@%p2')}`;
const FILL = `${STORE} ${arrive(0)} bra END;`;
const REFILL = `${STORE} ${arrive(0)} ${wait(8, 'W')} ${STORE} bra END;`;

async function resultOf(kind: string, body: string): Promise<string> {
  const once = `mbarrier.${kind}.parity.shared::cta.b64 %p3, [bars], 0;`;
  const text = body.replaceAll('TRY', once);
  const params = [{ kind: 'pointer', bytes: 4096 }];
  const launch = { grid: [1, 1, 1], block: [64, 1, 1], params };
  const kernel = ptxKernel({
    ptx: {
      file: 'k.ptx',
      text: kernelText(DECLARED, `${BASES} ${text} END: ret;`, '.param .u64 p'),
    },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

/** A right kernel and a wrong one of the same form, with the rule that it breaks. */
const PAIRS: Readonly<Record<string, readonly [string, string, string]>> = {
  'reads where it succeeds, or where it fails': [
    `${FILL} C: TRY @!%p3 bra END; ${LOAD}`,
    `${FILL} C: TRY @%p3 bra END; ${LOAD}`,
    'race',
  ],
  'selects by its answer': [
    `${FILL} C: TRY selp.u32 %r6, 1, 0, %p3; setp.eq.u32 %p4, %r6, 1; @!%p4 bra END; ${LOAD}`,
    `${FILL} C: TRY selp.u32 %r6, 0, 1, %p3; setp.eq.u32 %p4, %r6, 1; @!%p4 bra END; ${LOAD}`,
    'race',
  ],
  'gives memory back on both ways, or where it succeeds': [
    `${REFILL} C: TRY @!%p3 bra N; ${LOAD} ${FREE} bra END; N: ${arrive(8, '@%p2')}`,
    `${REFILL} C: TRY @!%p3 bra END; ${LOAD} ${FREE}`,
    'deadlock',
  ],
  'waits for another signal where it fails': [
    `${STORE} ${arrive(0)} ${arrive(8)} bra END; C: TRY @%p3 bra N; ${wait(8, 'W')} N: ${LOAD}`,
    `${arrive(8)} ${STORE} ${arrive(0)} bra END; C: TRY @%p3 bra N; ${wait(8, 'W')} N: ${LOAD}`,
    'race',
  ],
  'meets the other warp on both ways, or on one': [
    `${STORE} ${arrive(0)} ${wait(8, 'W')} bra END;
     C: TRY @!%p3 bra N; ${FREE} bra END; N: ${FREE}`,
    `${STORE} ${arrive(0)} ${wait(8, 'W')} bra END;
     C: TRY @%p3 bra N; ${FREE} bra END; N:`,
    'deadlock',
  ],
  'shares the answer of one lane, or not': [
    `${FILL} C: mov.u32 %r6, 0; @!%p2 bra J; TRY selp.u32 %r6, 1, 0, %p3; J: bar.warp.sync -1;
     shfl.sync.idx.b32 %r7, %r6, 0, 31, -1; setp.eq.u32 %p4, %r7, 1; @!%p4 bra END; ${LOAD}`,
    `${FILL} C: @!%p2 bra J; TRY @!%p3 bra END; J: ${LOAD}`,
    'unjoined-lanes',
  ],
};

for (const kind of ['test_wait', 'try_wait'])
  for (const [name, [right, wrong, rule]] of Object.entries(PAIRS)) {
    test(`${kind}, ${name}: certified where it is right`, async () => {
      assert.equal(await resultOf(kind, right), 'certified');
    });
    test(`${kind}, ${name}: ${rule} where it is wrong`, async () => {
      assert.equal(await resultOf(kind, wrong), `counterexample ${rule}`);
    });
  }

test('a try that never succeeds leads nowhere', async () => {
  const never = `${STORE} ${arrive(0)} bra END;
    C: mbarrier.try_wait.parity.shared::cta.b64 %p3, [bars+8], 0; @!%p3 bra END;`;
  assert.equal(await resultOf('try_wait', `${never} ${LOAD}`), 'certified');
});

test('a try that cannot fail any more is no error', async () => {
  const after = `${STORE} ${arrive(0)} ${arrive(8)} bra END; C: ${wait(8, 'W')} TRY @%p3 bra N;
    st.shared.u32 [bars], %r1; N: ${LOAD}`;
  assert.notEqual((await resultOf('test_wait', after)).split(' ')[0], 'counterexample');
});
