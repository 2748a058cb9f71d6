// Addresses of buffers: low bits and what follows from one buffer are facts, all else is open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARRIVE, checkText, twoWarps, verdictOf } from './two-warps.ts';
import type { Pointer } from './two-warps.ts';

/** Warp 0 arrives where a predicate holds. */
function ifHolds(predicate: string): string {
  return `${predicate} @%p5 ${ARRIVE}`;
}

const FACTS = {
  'a pointer is not null': 'setp.ne.s64 %p5, %rd1, 0;',
  'a pointer is below the largest number': 'setp.lt.u64 %p5, %rd1, -1;',
  'its low bits': 'cvt.u32.u64 %r10, %rd1; and.b32 %r10, %r10, 15; setp.eq.u32 %p5, %r10, 0;',
  'low bits of 64': 'and.b64 %rd5, %rd1, 255; setp.eq.s64 %p5, %rd5, 0;',
  'bits behind a shift':
    'shr.u64 %rd5, %rd1, 4; cvt.u32.u64 %r10, %rd5; and.b32 %r10, %r10, 15; setp.eq.u32 %p5, %r10, 0;',
  'a field of low bits':
    'cvt.u32.u64 %r10, %rd1; bfe.u32 %r10, %r10, 3, 4; setp.eq.u32 %p5, %r10, 0;',
  'bits of an offset': 'add.s64 %rd5, %rd1, 20; and.b64 %rd5, %rd5, 31; setp.eq.s64 %p5, %rd5, 20;',
  'a distance in one buffer':
    'add.s64 %rd5, %rd1, 64; sub.s64 %rd6, %rd5, %rd1; setp.eq.s64 %p5, %rd6, 64;',
  'the end of a loop over a buffer': `add.s64 %rd5, %rd1, 64; mov.u64 %rd6, %rd1;
    LOOP: ld.global.u32 %r10, [%rd6]; add.s64 %rd6, %rd6, 16; setp.ne.s64 %p6, %rd6, %rd5;
    @%p6 bra LOOP; setp.eq.s64 %p5, %rd6, %rd5;`,
  'an address in two halves':
    'mov.b64 {%r10, %r11}, %rd1; mov.b64 %rd5, {%r10, %r11}; setp.eq.s64 %p5, %rd5, %rd1;',
  'an address rounded down':
    'add.s64 %rd5, %rd1, 20; and.b64 %rd5, %rd5, -16; sub.s64 %rd6, %rd5, %rd1; setp.eq.s64 %p5, %rd6, 16;',
  'a spilled address':
    'st.local.u64 [own], %rd1; ld.local.u64 %rd5, [own]; setp.eq.s64 %p5, %rd5, %rd1;',
  'shared memory is no buffer':
    'cvta.shared.u64 %rd5, %rd5; mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5; setp.ne.s64 %p5, %rd5, %rd1;',
  'the space of a generic address':
    'mov.u64 %rd5, tile; cvta.shared.u64 %rd5, %rd5; isspacep.shared %p5, %rd5;',
};
for (const [name, predicate] of Object.entries(FACTS))
  test(`a fact: ${name}`, async () => {
    assert.equal(await verdictOf(ifHolds(predicate)), 'certified');
  });

const OF_ONE = {
  'a bit above the alignment': 'shr.u64 %rd5, %rd1, 20; and.b64 %rd5, %rd5, 1;',
  'a field that is partly above it': 'shr.u64 %rd5, %rd1, 5; and.b64 %rd5, %rd5, 15;',
  'a bit of the upper half':
    'mov.b64 {%r10, %r11}, %rd1; and.b32 %r11, %r11, 1; cvt.u64.u32 %rd5, %r11;',
  'the remainder of a division': 'rem.u64 %rd5, %rd1, 3;',
};
for (const [name, bits] of Object.entries(OF_ONE))
  test(`${name} may be anything, with an error where it leads to one`, async () => {
    const { verdict, findings } = await checkText(
      twoWarps(ifHolds(`${bits} setp.eq.s64 %p5, %rd5, 0;`)),
    );
    assert.equal(verdict, 'counterexample');
    assert.ok(findings[0]!.notes.some((note) => /if in lies so that .*kernel\.ptx:/.test(note)));
    const right = `${bits} setp.eq.s64 %p5, %rd5, 0; @%p5 bra LATE; ${ARRIVE} bra.uni DONE;
      LATE: ${ARRIVE} DONE:`;
    assert.equal(await verdictOf(right), 'certified');
  });

test('a bit of an address is one in all warps', async () => {
  const bit = 'shr.u64 %rd5, %rd1, 20; and.b64 %rd5, %rd5, 1; setp.eq.s64 %p5, %rd5, 0;';
  const wait = 'WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [%r5], 0; @!%p4 bra WAIT;';
  const both = twoWarps(ifHolds(bit), `${bit} @!%p5 bra END; ${wait}`);
  assert.equal((await checkText(both)).verdict, 'certified');
  const other = bit.replace('%rd1', '%rd2');
  const apart = twoWarps(ifHolds(bit), `${other} @!%p5 bra END; ${wait}`);
  assert.equal((await checkText(apart)).verdict, 'counterexample');
});

const ARE_TWO: Pointer = { alias: false };
test('whether two buffers are one is open until the launch says it', async () => {
  const differ = ifHolds('setp.ne.s64 %p5, %rd1, %rd2;');
  assert.match(
    await verdictOf(differ),
    /^inconclusive .*does not say whether in and out are one buffer \(kernel\.ptx:/,
  );
  assert.equal(await verdictOf(differ, [ARE_TWO, {}]), 'certified');
  assert.equal(await verdictOf(differ, [{}, { alias: 'in' }]), 'counterexample deadlock');
  const equal = ifHolds('setp.eq.s64 %p5, %rd1, %rd2;');
  assert.equal(await verdictOf(equal, [{ alias: 'out' }, {}]), 'certified');
  assert.equal(await verdictOf(equal, [{}, ARE_TWO]), 'counterexample deadlock');
});

test('which buffer comes first is never said', async () => {
  const first = ifHolds('setp.lt.u64 %p5, %rd1, %rd2;');
  assert.match(await verdictOf(first, [ARE_TWO, ARE_TWO]), /^inconclusive/);
  const distance = ifHolds('sub.s64 %rd5, %rd2, %rd1; setp.gt.s64 %p5, %rd5, 63;');
  assert.match(await verdictOf(distance, [ARE_TWO, ARE_TWO]), /^inconclusive/);
});

test('an error on every way is an error', async () => {
  const never = `setp.eq.s64 %p5, %rd1, %rd2; @%p5 bra ONE; nanosleep.u32 20; bra.uni DONE;
    ONE: nanosleep.u32 40; bar.warp.sync -1; DONE:`;
  assert.equal(await verdictOf(never), 'counterexample deadlock');
});

test('an alignment that the launch gives is a fact', async () => {
  const aligned = ifHolds('and.b64 %rd5, %rd1, 1023; setp.eq.s64 %p5, %rd5, 0;');
  assert.equal(await verdictOf(aligned), 'counterexample deadlock');
  assert.equal(await verdictOf(aligned, [{ align: 1024 }, {}]), 'certified');
  const less = ifHolds('and.b64 %rd5, %rd1, 31; setp.eq.s64 %p5, %rd5, 0;');
  assert.equal(await verdictOf(less), 'certified');
  assert.equal(await verdictOf(less, [{ align: 16 }, {}]), 'counterexample deadlock');
});

test('launch files name what they cannot say', async () => {
  const cases: readonly (readonly [Pointer, RegExp])[] = [
    [{ align: 3 }, /'params\[0\]\.align' has to be a power of two$/],
    [{ align: 0 }, /'params\[0\]\.align' has to be a whole number/],
    [{ alias: 'x' }, /'params\[0\]\.alias' is 'x', which no other parameter is named$/],
    [{ alias: 'in' }, /'params\[0\]\.alias' is 'in', which no other parameter is named$/],
    [{ alias: true }, /'params\[0\]\.alias' has to be a string$/],
    [
      { alias: 'out', align: 16 },
      /'params\[0\]\.align' belongs to the parameter that alias names$/,
    ],
    [{ alignment: 16 }, /takes no 'alignment'/],
  ];
  for (const [pointer, message] of cases)
    await assert.rejects(async () => checkText(twoWarps(ARRIVE), [pointer, {}]), { message });
  await assert.rejects(
    async () => checkText(twoWarps(ARRIVE), [{ alias: 'out' }, { alias: 'in' }]),
    {
      message: /'params\[0\]\.alias' is 'out', which has no buffer of its own$/,
    },
  );
});
