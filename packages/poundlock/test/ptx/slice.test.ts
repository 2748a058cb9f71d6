// Random kernels, with and without the values that decide nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  array,
  assert as assertProperty,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  tuple,
} from 'fast-check';
import { requireOneAnswer } from './slice.ts';

const REGISTERS = ['%r1', '%r2', '%r3', '%r4'];
const register = constantFrom(...REGISTERS);
/** Where lanes store: each in its own word, in that of a neighbor, all in one, or where data says. */
const place = constantFrom('%a1', '%a2', '%a3', '%a4', '%a5');
const number = integer({ min: 0, max: 3 });

const compute = tuple(
  constantFrom('add.u32', 'mul.lo.u32', 'xor.b32'),
  register,
  register,
  register,
).map(([opcode, to, one, other]) => `${opcode} ${to}, ${one}, ${other};`);
const constant = tuple(register, number).map(([to, value]) => `mov.u32 ${to}, ${value};`);
const load = tuple(register, place).map(([to, at]) => `ld.shared.u32 ${to}, [${at}];`);
const store = tuple(place, register).map(([at, value]) => `st.shared.u32 [${at}], ${value};`);
const strong = tuple(place, register).map(
  ([at, value]) => `st.volatile.shared.u32 [${at}], ${value};`,
);
const half = tuple(place, register).map(([at, value]) => `st.shared.u16 [${at}], ${value};`);
const pair = tuple(register, register).map(
  ([one, two]) => `st.shared.v2.u32 [%a6], {${one}, ${two}};`,
);
const data = register.map((to) => `ld.global.u32 ${to}, [%g1];`);
const keep = tuple(constantFrom('%g2', '%g3', '%g4'), register).map(
  ([at, value]) => `st.global.u32 [${at}], ${value};`,
);
const shuffle = tuple(register, register).map(
  ([to, from]) => `shfl.sync.bfly.b32 ${to}, ${from}, 1, 31, -1;`,
);
const compare = tuple(register, number).map(([one, value]) => `setp.lt.u32 %p1, ${one}, ${value};`);
const index = register.map(
  (from) => `and.b32 %r6, ${from}, 7; shl.b32 %r6, %r6, 2;
  add.u32 %a4, %r6, %a3;`,
);
const join_ = constantFrom('bar.sync 0;', 'bar.sync 0;', 'bar.warp.sync -1;');
const plain = oneof(
  compute,
  constant,
  load,
  store,
  strong,
  half,
  pair,
  data,
  keep,
  shuffle,
  compare,
  index,
  join_,
);
const guarded = tuple(constantFrom('@%p1', '@%p2'), oneof(compute, load, store, keep)).map(
  (parts) => parts.join(' '),
);
const body = array(oneof({ weight: 5, arbitrary: plain }, guarded), {
  minLength: 3,
  maxLength: 14,
});

function textOf(lines: readonly string[]): string {
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry random(.param .u64 p)
{
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b32 %a<8>; .reg .b64 %g<6>;
  .shared .align 16 .b8 tile[1024];
  mov.u32 %r0, %tid.x; mov.u32 %r5, %ctaid.x;
  mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, %r0; mov.u32 %r4, %r5;
  setp.lt.u32 %p1, %r0, 32; setp.eq.u32 %p2, %r0, 0;
  mov.u32 %a3, tile; shl.b32 %a1, %r0, 2; add.u32 %a1, %a1, %a3;
  xor.b32 %a2, %a1, 4; mov.u32 %a4, %a1; and.b32 %r7, %r0, 31;
  shl.b32 %a5, %r7, 2; add.u32 %a5, %a5, %a3; shl.b32 %a6, %r0, 3; add.u32 %a6, %a6, %a3;
  ld.param.u64 %g1, [p]; mul.wide.u32 %g2, %r0, 4; add.u64 %g2, %g1, %g2;
  mul.wide.u32 %g3, %r5, 4; add.u64 %g3, %g1, %g3; mov.u64 %g4, %g1; add.u64 %g1, %g1, 1024;
  ${lines.join('\n  ')}
  ret;
}
`;
}

const LAUNCH = { grid: [2, 1, 1], block: [64, 1, 1], params: [{ kind: 'pointer', bytes: 4096 }] };

test('random kernels have one answer', async () => {
  const seen = new Map<string, number>();
  await assertProperty(
    asyncProperty(body, async (lines) => {
      const ptx = { file: 'random.ptx', text: textOf(lines) };
      const launch = { file: 'random.json', text: JSON.stringify(LAUNCH) };
      const verdict = await requireOneAnswer({ ptx, launch });
      seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
    }),
    { numRuns: 200 },
  );
  assert.ok(seen.get('certified')! > 20 && seen.get('counterexample')! > 20);
});

test('values that blocks store into one word are compared in each of them', async () => {
  const ofBlock = (values: string): string[] => [
    'shr.u32 %r1, %r5, 1; mul.wide.u32 %g3, %r1, 4; add.u64 %g3, %g4, %g3;',
    `setp.eq.u32 %p1, %r5, 3; selp.u32 %r2, ${values}, %p1; @%p2 st.global.u32 [%g3], %r2;`,
  ];
  const launch = { file: 'k.json', text: JSON.stringify({ ...LAUNCH, grid: [4, 1, 1] }) };
  const verdictOf = (values: string): Promise<string> =>
    requireOneAnswer({ ptx: { file: 'k.ptx', text: textOf(ofBlock(values)) }, launch });
  assert.equal(await verdictOf('5, 5'), 'certified');
  assert.equal(await verdictOf('7, 5'), 'counterexample');
});

test('a value that decides is followed through shared memory', async () => {
  const lines = (value: number): string[] => [
    `bar.sync 0; mov.u32 %r1, ${value}; st.shared.u32 [%a1], %r1; ld.shared.u32 %r2, [%a1];`,
    'setp.eq.u32 %p1, %r2, 3; @%p1 bra END; bar.sync 0, 96; END:',
  ];
  const launch = { file: 'k.json', text: JSON.stringify(LAUNCH) };
  const verdictOf = (value: number): Promise<string> =>
    requireOneAnswer({ ptx: { file: 'k.ptx', text: textOf(lines(value)) }, launch });
  assert.equal(await verdictOf(3), 'certified');
  assert.equal(await verdictOf(4), 'counterexample');
});
