// Loads in a loop, which are remembered, and the same loads written one after the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { runText } from '../machine/launch-of.ts';
import { kernelText } from '../../kernel-text.ts';

const ROUNDS = 4;
const HEAD =
  '.reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<4>; .shared .align 16 .b8 word[8192];';
const LANE = `mov.u32 %r0, %laneid; mov.u32 %r8, word; shl.b32 %r9, %r0, 2; add.u32 %r9, %r8, %r9;
  setp.eq.u32 %p0, %r0, 3; setp.lt.u32 %p1, %r0, 8; ld.param.u64 %rd0, [p]; mov.u32 %r1, %r0;
  mov.u32 %r2, 7; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r10, 0; cvta.shared.u64 %rd1, word;
  mov.b64 %rd2, %rd1; shl.b32 %r11, %r0, 4; add.u32 %r11, %r11, %r8;`;
/** Stores all registers, far from where the others do. */
const SHOW = 'st.shared.v4.u32 [%r11+4096], {%r1, %r2, %r3, %r4};';

/** Lane by lane, one word for all, and the same by its generic address. */
const address = fc
  .tuple(fc.constantFrom('%r9', '%r8', '%rd1'), fc.constantFrom(0, 128, 132, 2048))
  .map(([base, offset]) => ({
    space: base === '%rd1' ? '' : '.shared',
    at: `[${base}+${offset}]`,
  }));
const register = fc.constantFrom('%r1', '%r2', '%r3', '%r4');
const guard = fc.constantFrom('', '', '', '@%p0 ', '@%p1 ', '@!%p1 ');
const instruction = fc.oneof(
  fc
    .tuple(guard, register, address)
    .map(([on, to, { space, at }]) => `${on}ld${space}.u32 ${to}, ${at};`),
  fc
    .tuple(guard, register, address)
    .map(([on, from, { space, at }]) => `${on}st${space}.u32 ${at}, ${from};`),
  fc.tuple(guard, register).map(([on, to]) => `${on}ld.shared.v2.u32 {${to}, %r5}, [%r8+8];`),
  fc
    .tuple(guard, register, register)
    .map(([on, to, from]) => `${on}add.u32 ${to}, ${to}, ${from};`),
  register.map((to) => `ld.global.u32 ${to}, [%rd0];`),
  register.map((to) => `mov.u32 ${to}, %r10;`),
  // Other lanes, and other addresses of some lanes.
  fc.constantFrom(
    'setp.lt.u32 %p1, %r0, %r10;',
    'setp.ge.u32 %p0, %r0, %r10;',
    '@%p0 xor.b32 %r9, %r9, 128;',
    '@%p1 selp.b64 %rd1, %rd0, %rd2, %p0;',
    'mov.b64 %rd1, %rd2;',
  ),
);

/** What the warp does, without the instructions that do it. */
function stepsOf(body: string): unknown[] {
  const text = kernelText(HEAD, `${LANE} ${body} ret;`, '.param .u64 p');
  const { warps } = runText(text, { params: [{ kind: 'pointer', bytes: 4 }] });
  return warps[0]!.steps.map((step) => ({ ...step, at: 0 }));
}

test('a load that is made again has what is there now', () => {
  const property = fc.property(fc.array(instruction, { minLength: 2, maxLength: 10 }), (list) => {
    const round = `${list.join('\n')} ${SHOW} add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, ${ROUNDS};`;
    const unrolled = Array.from({ length: ROUNDS }, () => round).join('\n');
    assert.deepEqual(stepsOf(`AGAIN: ${round} @%p2 bra AGAIN;`), stepsOf(unrolled));
  });
  fc.assert(property, { numRuns: 200, seed: 20_261_129 });
});

test('what accesses touch is one object where it is equal', () => {
  const { warps } = runText(
    kernelText(
      HEAD,
      `${LANE} ld.shared.u32 %r1, [%r9]; ld.shared.u32 %r2, [%r9]; ret;`,
      '.param .u64 p',
    ),
    { params: [{ kind: 'pointer', bytes: 4 }] },
  );
  const [first, second] = warps[0]!.steps;
  assert.ok(first?.op === 'access' && second?.op === 'access');
  assert.equal(first.reads.length, 64);
  assert.equal(first.reads, second.reads);
});
