// Accesses at addresses that data decides: what they may meet follows from the pointers behind them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from 'poundlock/check';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const REGISTERS = '.reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred %p<2>;';
const PARAMETERS = '.param .u64 table, .param .u64 index, .param .u64 sums, .param .u64 step';
const HEAD = `ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [index]; ld.param.u64 %rd3, [sums];
  ld.param.u64 %rd4, [step]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1;
  mul.wide.u32 %rd5, %r3, 4; add.s64 %rd6, %rd2, %rd5; add.s64 %rd7, %rd3, %rd5;`;

/** The verdict of a kernel of 4 blocks of 32 threads, and the names of what it rests on. */
async function verdictOf(body: string, table: object = {}): Promise<string> {
  const buffer = { kind: 'pointer', bytes: 4096 };
  const params = [
    { ...buffer, ...table },
    buffer,
    { ...buffer, name: 'sums' },
    { kind: 'scalar', type: 'u64', value: 64 },
  ];
  const launch = { grid: [4, 1, 1], block: [32, 1, 1], params };
  const text = kernelText(REGISTERS, `${HEAD} ${body} ret;`, PARAMETERS);
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  const { verdict, scope } = await check(kernel);
  return [verdict, ...scope.assumptions.map(({ name }) => name)].join(' ');
}

const STORE = 'st.global.u32 [%rd7], %r4;';
const WIDENED = 'ld.global.s32 %rd8, [%rd6]; shl.b64 %rd8, %rd8, 2;';
const LONG = 'add.s64 %rd8, %rd6, %rd5; ld.global.u64 %rd8, [%rd8]; shl.b64 %rd8, %rd8, 3;';

test('a load at a loaded index meets no store through another pointer', async () => {
  for (const index of [WIDENED, LONG]) {
    const load = `${index} add.s64 %rd9, %rd1, %rd8; ld.global.u32 %r4, [%rd9];`;
    assert.equal(await verdictOf(`${load} ${STORE}`), 'certified separate-buffers');
    assert.equal(await verdictOf(load), 'certified');
  }
});

test('through the same pointer it may', async () => {
  const load = `${WIDENED} add.s64 %rd9, %rd3, %rd8; ld.global.u32 %r4, [%rd9];`;
  assert.equal(await verdictOf(`${load} ${STORE}`), 'inconclusive disjoint-data');
  const other = load.replace('%rd3', '%rd1');
  assert.equal(
    await verdictOf(`${other} ${STORE}`, { bytes: undefined, alias: 'sums' }),
    'inconclusive disjoint-data',
  );
});

test('a pointer that was loaded leads anywhere, whatever number is added to it', async () => {
  const load = 'ld.global.u64 %rd8, [%rd1]; add.s64 %rd9, %rd8, %rd4; ld.global.u32 %r4, [%rd9];';
  assert.equal(await verdictOf(`${load} ${STORE}`), 'inconclusive disjoint-data');
});

test('an atomic access at a loaded index meets no other one', async () => {
  const count = `${WIDENED} add.s64 %rd9, %rd3, %rd8; red.global.add.u32 [%rd9], 1;`;
  assert.equal(await verdictOf(count), 'certified separate-buffers');
  assert.equal(await verdictOf(`${count} ${STORE}`), 'inconclusive disjoint-data');
  // Blocks that the scope leaves out are not ordered.
  const narrow = count.replace('red.global', 'red.relaxed.cta.global');
  assert.equal(await verdictOf(narrow), 'inconclusive disjoint-data');
});

test('what some blocks store, others may load at an index', async () => {
  const of = (pointer: string): string => `setp.ne.u32 %p0, %r2, 0; @%p0 bra LOAD; ${STORE} ret;
    LOAD: ${WIDENED} add.s64 %rd9, ${pointer}, %rd8; ld.global.u32 %r4, [%rd9];`;
  assert.equal(await verdictOf(of('%rd1')), 'certified');
  assert.equal(await verdictOf(of('%rd3')), 'inconclusive');
});
