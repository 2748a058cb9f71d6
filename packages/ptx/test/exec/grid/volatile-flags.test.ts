// Volatile words that blocks look at once: a flag, whose value decides, is as good as a relaxed
// one; data, whose value decides nothing, would be of another time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARED = '.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<6>;';
const BEGIN = `ld.param.u64 %rd0, [flag]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;
setp.ne.u32 %p0, %r0, 0; @%p0 bra E; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 1;`;

async function ruleOf(body: string) {
  const launch = {
    grid: [4, 1, 1],
    block: [32, 1, 1],
    params: [
      { kind: 'pointer', bytes: 4 },
      { kind: 'pointer', bytes: 16 },
    ],
  };
  const text = kernelText(
    DECLARED,
    `${BEGIN} ${body} E: ret;`,
    '.param .u64 flag, .param .u64 out',
  );
  const kernel = ptxKernel({
    ptx: { file: 'k.ptx', text },
    launch: { file: 'l.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return verdict === 'counterexample' ? findings[0]!.rule : verdict;
}

const SET = '@%p1 st.volatile.global.u32 [%rd0], %r2; @%p1 bra E;';
const LOOK = 'ld.volatile.global.u32 %r3, [%rd0];';
const STOP = 'setp.ne.u32 %p2, %r3, 0; @%p2 bra E; st.global.u32 [%rd2], %r2;';

test('a flag that stops others: certified', async () => {
  assert.equal(await ruleOf(`${SET} ${LOOK} ${STOP}`), 'certified');
});

test('a flag that one block clears by a plain store: a race', async () => {
  const plain = SET.replace('.volatile', '');
  assert.equal(await ruleOf(`${plain} ${LOOK} ${STOP}`), 'race');
});

test('data that is read once: a race', async () => {
  assert.equal(await ruleOf(`${SET} ${LOOK} st.global.u32 [%rd2], %r3;`), 'race');
});
