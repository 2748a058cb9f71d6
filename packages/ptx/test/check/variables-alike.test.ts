// Variables of two functions whose readable names are one: they are two buffers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

/** Each of two warps stores its word, and both load both words; then the same of another array. */
function reductions(first: string, second: string): string {
  const declared = `.reg .b32 %r<8>; .reg .pred %p<4>;
${[...new Set([first, second])].map((name) => `.shared .align 4 .b8 ${name}[8];`).join('\n')}`;
  const reduce = (name: string): string => `mov.u32 %r2, ${name}; add.u32 %r2, %r2, %r1;
@%p0 st.shared.u32 [%r2], 1; bar.sync 0; ld.shared.u32 %r3, [${name}];
ld.shared.u32 %r3, [${name}+4];`;
  const body = `mov.u32 %r0, %tid.x; and.b32 %r4, %r0, 31; setp.eq.u32 %p0, %r4, 0;
shr.u32 %r1, %r0, 5; shl.b32 %r1, %r1, 2; ${reduce(first)} ${reduce(second)} ret;`;
  return kernelText(declared, body);
}

async function verdictOf(text: string): Promise<string> {
  const launch = { grid: [1], block: [64], params: [] };
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, findings } = await check(kernel);
  return [verdict, ...findings.map(({ rule }) => rule)].join(' ');
}

test('static arrays of two instances of a template are apart', async () => {
  const [max, sum] = ['_ZZ3maxIfEvvE5words', '_ZZ3sumIfEvvE5words'] as const;
  assert.equal(await verdictOf(reductions(max, sum)), 'certified');
  assert.match(await verdictOf(reductions(max, max)), /^counterexample race/);
});
