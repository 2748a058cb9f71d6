// Kernels without a launch: what is certified, what is an error, and what rests on a guess.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '@poundlock/core/internal/finding';
import { exchange } from './texts.ts';
import { verdictOf } from './verdict-of.ts';

function triedOf({ launch }: CheckResult, what: string): readonly (number | string)[] {
  return launch?.tried.find((each) => each.what === what)?.values ?? [];
}

test('a certificate names its launches, and where each part comes from', async () => {
  const result = await verdictOf(exchange());
  assert.equal(result.verdict, 'certified');
  assert.deepEqual(result.launch?.block, { value: [64, 1, 1], from: 'text' });
  assert.equal(result.launch?.grid.from, 'tried');
  const rounds = triedOf(result, 'rounds');
  for (const value of [0, 1, 2, 512, 768]) assert(rounds.includes(value), String(value));
});

test('an error at every ordinary launch is one where the block is known', async () => {
  const result = await verdictOf(exchange({ isRight: false }));
  assert.equal(result.verdict, 'counterexample');
  assert.equal(result.findings[0]?.rule, 'race');
  assert.match(result.notes?.[0] ?? '', /^from rounds=2 on \(1 is certified\)$/);
});

test('an error at a value that the text compares with is possible, and says why', async () => {
  const text = exchange({
    inLoop: 'setp.ne.u32 %p2, %r20, 33; @%p2 bra NEXT; st.shared.u32 [%r6], %r7; NEXT:',
  });
  const result = await verdictOf(text);
  assert.equal(result.verdict, 'inconclusive');
  assert.match(result.reason ?? '', /^possible error\[race\] at rounds=33, .* compares with 33/);
  const [finding] = result.findings;
  assert.deepEqual([finding?.possible, finding?.severity], [true, 'warning']);
  assert.deepEqual(
    finding?.rests?.map(({ what, value }) => [what, value]),
    [['rounds', '33']],
  );
  const user = await verdictOf(text, { values: new Map([['rounds', [33]]]) });
  assert.equal(user.verdict, 'counterexample');
  const others = await verdictOf(text, { values: new Map([['rounds', [32]]]) });
  assert.equal(others.verdict, 'certified');
});

test('a kernel that synchronizes nothing, or is launched so, is not certified', async () => {
  const plain = await verdictOf(exchange({ barrier: '', directives: '.maxntid 1' }));
  assert.match(plain.reason ?? '', /^nothing to prove: the text has no synchronizing instruction$/);
  const none = await verdictOf(exchange(), { values: new Map([['rounds', [0]]]) });
  assert.match(none.reason ?? '', /^nothing to prove: no launch that was tried reaches/);
});

test('values that do not fit are a precondition, not an error', async () => {
  const inLoop = `mul.lo.u32 %r11, %r20, 4; add.u32 %r12, %r3, %r11; add.u32 %r12, %r12, 1024;
    and.b32 %r12, %r12, 2047; ld.shared.v4.u32 {%r13, %r14, %r15, %r16}, [%r12]; bar.sync 0;`;
  const result = await verdictOf(exchange({ inLoop }));
  assert.equal(result.verdict, 'certified');
  assert.match(result.launch?.preconditions[0] ?? '', /^rounds has to be a multiple of 4 \(/);
});
