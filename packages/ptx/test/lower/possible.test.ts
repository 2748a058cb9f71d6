// Accesses that depend on unknown data: the plan names their instructions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerRun } from '#src/lower/roles';
import { kernelText } from '../kernel-text.ts';
import { runText } from '../exec/machine/launch-of.ts';

const DECLARATIONS =
  '.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; .shared .align 4 .b32 word[64];';
const UNKNOWN =
  'ld.param.u64 %rd0, [p]; ld.global.u32 %r0, [%rd0]; setp.eq.u32 %p0, %r0, 0; mov.u32 %r1, 3;';

/** The opcodes of the instructions whose accesses may happen. */
function possible(body: string): string[] {
  const text = kernelText(DECLARATIONS, `${UNKNOWN} ${body} ret;`, '.param .u64 p');
  const run = runText(text, { block: [64, 1, 1], params: [{ kind: 'pointer', bytes: 4 }] });
  assert.deepEqual(run.undecided, []);
  return [...lowerRun(run).possible.keys()].map((at) => run.places(at).opcode);
}

const CASES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  'a store with an unknown predicate': ['@%p0 st.shared.u32 [word], %r1;', ['st.shared.u32']],
  'a store behind a branch on unknown data': [
    '@%p0 bra AWAY; st.shared.u32 [word], %r1; AWAY: bar.warp.sync -1;',
    ['st.shared.u32'],
  ],
  'a load at an unknown address': [
    'and.b32 %r2, %r0, 252; mov.u32 %r3, word; add.u32 %r3, %r3, %r2; ld.shared.u32 %r4, [%r3];',
    ['ld.shared.u32'],
  ],
  'an atomic at an unknown address': [
    'and.b32 %r2, %r0, 252; mov.u32 %r3, word; add.u32 %r3, %r3, %r2; red.shared.add.u32 [%r3], %r1;',
    ['red.shared.add.u32'],
  ],
  'a store that happens': ['st.shared.u32 [word], %r0;', []],
  'a store that happens beside one that may': [
    'st.shared.u32 [word], %r0; @%p0 st.shared.u32 [word+4], %r1; ld.shared.u32 %r5, [word];',
    ['st.shared.u32'],
  ],
};

for (const [name, [body, expected]] of Object.entries(CASES)) {
  test(`${name}: ${expected.length === 0 ? 'no' : 'one'} instruction is named`, () => {
    assert.deepEqual(possible(body), expected);
  });
}
