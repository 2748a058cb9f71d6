// What the forms of a kernel change, a sample of verdicts, and that another kernel is noticed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseKernels, exampleKernels } from './kernels.ts';
import { statementsOf } from './statements.ts';
import { TRANSFORMATIONS, type KernelFiles } from './transformations.ts';
import { answerOf, changedVerdicts, FORMS } from './verdicts.ts';

const FILES: KernelFiles = {
  ptx: `.version 8.6
.target sm_90a
.address_size 64
.file 1 "kernel.cu"
.visible .entry exchange(.param .u64 exchange_param_0)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; // registers
  .shared .align 4 .b32 bar;
  .shared .align 4 .b32 other[32];
  .loc 1 3 5
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p0, %r0, 0;
  .loc 1 4 5
  @%p0 bra $L_1; st.shared.u32 [bar], %r0;
$L_1: bar.sync 0;
  mov.u32 %r1, %ctaid.y;
  ld.shared.u32 %r2, [bar];
  ret;
}
`,
  launch: {
    kernel: 'exchange',
    grid: [2, 4, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 256 }],
  },
};

/** The statements of a form. */
function formed(name: string): string[] {
  return statementsOf(TRANSFORMATIONS[name]!(FILES)!.ptx).map(({ text }) => text);
}

test('a text is read as statements', () => {
  const kinds = statementsOf(FILES.ptx).map(({ kind }) => kind);
  const counted = Map.groupBy(kinds, (kind) => kind);
  assert.equal(counted.get('instruction')!.length, 8);
  assert.equal(counted.get('declaration')!.length, 4);
  assert.equal(counted.get('line')!.length, 6);
  assert.deepEqual(
    statementsOf(FILES.ptx).filter(({ kind }) => kind === 'label'),
    [{ kind: 'label', text: '$L_1:' }],
  );
});

test('places are left out, or are all the same', () => {
  assert.ok(!formed('no places').some((text) => /^\.(loc|file)/.test(text)));
  const places = formed('one place').filter((text) => text.startsWith('.loc'));
  assert.deepEqual(places, ['.loc 1 7 3']);
});

test('all declared names are others, and no part of an opcode', () => {
  const text = formed('other names').join('\n');
  assert.match(text, /\.entry other_exchange\(\.param \.u64 other_exchange_param_0\)/);
  assert.match(text, /@%other_p_0 bra other_\$L_1;\nst\.shared\.u32 \[other_bar\], %other_r_0;/);
  assert.match(text, /other_\$L_1:\nbar\.sync 0;/);
  assert.match(text, /\.reg \.b32 %other_r_<4>;/);
  assert.match(text, /other_other\[32\];/);
  assert.match(text, /%tid\.x/);
  assert.equal(TRANSFORMATIONS['other names']!(FILES)!.launch.kernel, 'other_exchange');
});

test('declarations of one kind change places', () => {
  const [registers, predicates, other] = formed('declarations reordered').slice(6);
  assert.match(registers!, /^\.reg \.b32/);
  assert.match(predicates!, /^\.reg \.pred/);
  assert.match(other!, /other\[32\]/);
});

test('lines have two instructions, and unused moves come between instructions', () => {
  const { ptx } = TRANSFORMATIONS['two instructions a line']!(FILES)!;
  assert.match(ptx, /^@%p0 bra \$L_1; st\.shared\.u32 \[bar\], %r0;$/m);
  assert.equal(formed('unused moves').filter((text) => text.includes('%unused')).length, 1 + 2 * 3);
});

test('warps and axes change places', () => {
  const { ptx, launch } = TRANSFORMATIONS['axes swapped']!(FILES)!;
  assert.match(ptx, /%ctaid\.x/);
  assert.deepEqual(launch.grid, [4, 2, 1]);
  const text = formed('warps by a table').join('\n');
  assert.match(text, /warp_order\[2\] = \{1, 0\};/);
  assert.match(text, /mad\.lo\.s32 %r0, %permuted1, 32, %permuted0;/);
});

test('only blocks that store nothing for all become more', () => {
  const double = TRANSFORMATIONS['twice the blocks']!;
  assert.deepEqual(double(FILES)!.launch.grid, [4, 4, 1]);
  const ptx = FILES.ptx.replace('ret;', 'st.global.u32 [%rd1], %r1; ret;');
  assert.equal(double({ ...FILES, ptx }), null);
});

test('a kernel that is another one has another verdict', async () => {
  assert.equal(await answerOf(FILES), '0 certified');
  const ptx = FILES.ptx.replace('bar.sync 0;', '');
  assert.equal(await answerOf({ ...FILES, ptx }), '1 counterexample unjoined-lanes');
});

const SAMPLE: ReadonlySet<string> = new Set([
  'q-st.ptx',
  'glob-apart.ptx',
  'own-block-global-ok.ptx',
  '019-mailbox-without-free/bug',
  '019-mailbox-without-free/fix',
  '064-store-without-fence/bug',
]);

test('some kernels have one verdict in all their forms', async () => {
  const kernels = [...caseKernels(), ...exampleKernels()].filter(({ name }) => SAMPLE.has(name));
  assert.equal(kernels.length, SAMPLE.size);
  for (const kernel of kernels)
    assert.deepEqual(await changedVerdicts(kernel, FORMS), new Map(), kernel.name);
});
