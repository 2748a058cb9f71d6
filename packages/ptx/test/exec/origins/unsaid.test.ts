// What the machine decides, and what nothing has written: each is unknown, with its name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ARRIVE, checkText, twoWarps, verdictOf } from './two-warps.ts';

/** Warp 0 arrives where a register is not zero. */
function ifSet(code: string): string {
  return `${code} setp.eq.u32 %p5, %r10, 0; @%p5 bra SKIP; ${ARRIVE} SKIP:`;
}

/** It arrives once, whatever the register holds. */
function anyway(code: string): string {
  return `${code} setp.eq.u32 %p5, %r10, 0; @%p5 bra LATE; ${ARRIVE} bra.uni DONE;
    LATE: ${ARRIVE} DONE:`;
}

test('a warp may have any number, and run anywhere', async () => {
  for (const name of ['%warpid', '%smid']) {
    assert.equal(await verdictOf(ifSet(`mov.u32 %r10, ${name};`)), 'counterexample deadlock');
    assert.equal(await verdictOf(anyway(`mov.u32 %r10, ${name};`)), 'certified');
    // Each read may give another one.
    const twice = `mov.u32 %r10, ${name}; mov.u32 %r11, ${name}; sub.u32 %r10, %r10, %r11;
      setp.ne.u32 %p5, %r10, 0; @%p5 bra SKIP; ${ARRIVE} SKIP:`;
    assert.equal(await verdictOf(twice), 'counterexample deadlock');
  }
});

test('of what the machine has the launch says nothing', async () => {
  for (const name of ['%nsmid', '%nwarpid', '%total_smem_size', '%aggr_smem_size']) {
    const says = new RegExp(`^inconclusive .*does not say what ${name} is \\(kernel\\.ptx:`);
    assert.match(await verdictOf(ifSet(`mov.u32 %r10, ${name};`)), says);
    assert.equal(await verdictOf(anyway(`mov.u32 %r10, ${name};`)), 'certified');
    // All warps read one: where it leads both to do the same, nothing is wrong.
    const test = 'setp.eq.u32 %p5, %r10, 0; @%p5 bra END;';
    const wait = 'WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [%r5], 0; @!%p4 bra WAIT;';
    const both = twoWarps(
      `mov.u32 %r10, ${name}; ${test} ${ARRIVE}`,
      `mov.u32 %r10, ${name}; ${test} ${wait}`,
    );
    assert.equal((await checkText(both)).verdict, 'certified');
  }
});

test('what nothing has written is named', async () => {
  const cases = {
    '%r20': 'and.b32 %r10, %r20, 1;',
    word: '@!%p3 bra READ; READ: ld.shared.u32 %r10, [word];',
    'local memory': 'ld.local.u32 %r10, [own];',
  };
  for (const [name, code] of Object.entries(cases))
    assert.match(await verdictOf(ifSet(code)), new RegExp(`^inconclusive .*${name}`));
});

test('nor is it an assumption that it has one value', async () => {
  assert.equal(await verdictOf(anyway('ld.shared.u32 %r10, [word];')), 'certified');
  const written = '@!%p3 st.shared.u32 [word], 1; bar.warp.sync -1; ld.shared.u32 %r10, [word];';
  assert.equal(await verdictOf(ifSet(written)), 'certified');
});

test('unwritten registers of lanes differ', async () => {
  const same = 'shfl.sync.idx.b32 %r11, %r20, 0, 31, -1; setp.eq.u32 %p6, %r11, %r20;';
  assert.match(await verdictOf(`${same} @!%p6 bra SKIP; ${ARRIVE} SKIP:`), /^inconclusive/);
});
