// Loops whose rounds unknown data decides: all rounds at once, or undecided. Never certified where
// one number of rounds is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../kernel-text.ts';

const REGISTERS = '.reg .b32 %r<17>; .reg .b64 %rd<4>; .reg .pred %p<8>;';
const SHARED = '.shared .align 4 .b8 word[4096]; .shared .align 8 .b64 full; ';

/** `%r1` is the thread, `%r3` the round, `%r7` the thread's word, `%r8` that of another warp. */
const BEGIN = `ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; mov.u32 %r3, 0;
  mov.u32 %r7, word; shl.b32 %r8, %r1, 2; xor.b32 %r9, %r8, 128; add.u32 %r8, %r7, %r9;
  xor.b32 %r9, %r9, 128; add.u32 %r7, %r7, %r9; mov.u32 %r10, 0; mov.u32 %r11, full;
  setp.eq.u32 %p3, %r1, 0;`;

/** A loop whose rounds the launch gives, or a word in global memory. */
function kernelOf(round: string, rounds: number | null, before = '', after = '') {
  const total = rounds === null ? 'ld.global.u32 %r0, [%rd0];' : `mov.u32 %r0, ${rounds};`;
  const body = `${BEGIN} ${before} ${total}
    setp.lt.s32 %p0, %r0, 1; @%p0 bra END;
    LOOP: ${round}
    add.u32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r0; @%p1 bra LOOP;
    END: ${after} ret;`;
  const launch = {
    grid: [1, 1, 1],
    block: [64, 1, 1],
    params: [{ kind: 'pointer', bytes: 256 }],
  };
  return ptxKernel({
    ptx: { file: 'kernel.ptx', text: kernelText(`${REGISTERS} ${SHARED}`, body, '.param .u64 p') },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
}

async function verdictOf(round: string, before = '', after = ''): Promise<string> {
  return (await check(kernelOf(round, null, before, after))).verdict;
}

const STORE = 'st.shared.u32 [%r7], %r1;';
const LOAD = 'ld.shared.u32 %r5, [%r8];';
const BARRIER = 'bar.sync 0;';

test('rounds that end with a barrier are certified for any number of them', async () => {
  const kernel = kernelOf(`${STORE} ${BARRIER} ${LOAD} ${BARRIER}`, null);
  const { verdict, scope, coverage } = await check(kernel);
  assert.equal(verdict, 'certified');
  assert.deepEqual(scope.assumptions, []);
  assert.equal(coverage?.synchronizingReached, coverage?.synchronizing);
});

test('a barrier that is missing in a round, before the loop or after it', async () => {
  assert.notEqual(await verdictOf(`${STORE} ${BARRIER} ${LOAD}`), 'certified');
  assert.notEqual(await verdictOf(`${STORE} ${LOAD} ${BARRIER}`), 'certified');
  assert.notEqual(await verdictOf(`${BARRIER} ${LOAD} ${BARRIER}`, STORE, LOAD), 'certified');
  assert.equal(await verdictOf(`${LOAD} ${BARRIER}`, `${STORE} ${BARRIER}`, STORE), 'certified');
  assert.notEqual(await verdictOf(`${BARRIER} ${LOAD}`, `${STORE} ${BARRIER}`, STORE), 'certified');
});

const RING = `shl.b32 %r12, %r10, 8; add.u32 %r13, %r7, %r12; add.u32 %r14, %r8, %r12;`;
const TURN = (stages: number): string =>
  `add.u32 %r10, %r10, 1; setp.eq.u32 %p2, %r10, ${stages}; selp.b32 %r10, 0, %r10, %p2;`;

test('a ring of stages comes back to its first one', async () => {
  const round = (stages: number): string =>
    `${RING} st.shared.u32 [%r13], %r1; ${BARRIER} ld.shared.u32 %r5, [%r14]; ${TURN(stages)}`;
  // With one stage the next store meets the load of the other warp.
  assert.notEqual(await verdictOf(round(1)), 'certified');
  for (const stages of [2, 3, 5]) assert.equal(await verdictOf(round(stages)), 'certified');
});

test('a counter that wraps is any number', async () => {
  // The barrier is left out in round 200 of 256, long after the rounds that are run.
  const rare = `and.b32 %r4, %r3, 255; setp.eq.u32 %p2, %r4, 200; @%p2 bra SKIP; ${BARRIER} SKIP:`;
  assert.notEqual(await verdictOf(`${STORE} ${rare} ${LOAD} ${BARRIER}`), 'certified');
  // Where it does no harm, both ways are certified.
  assert.equal(await verdictOf(`${STORE} ${BARRIER} ${LOAD} ${BARRIER} ${rare}`), 'certified');
});

const WAIT = (name: string): string =>
  `${name}: mbarrier.try_wait.parity.shared.b64 %p4, [%r11], %r10; @!%p4 bra ${name};`;
const INIT = `@%p3 mbarrier.init.shared.b64 [%r11], 64; ${BARRIER}`;
const ARRIVE = 'mbarrier.arrive.shared.b64 _, [%r11];';

test('parities of an mbarrier turn with the rounds', async () => {
  const round = `${STORE} ${ARRIVE} ${WAIT('WAIT')} ${LOAD} ${BARRIER} xor.b32 %r10, %r10, 1;`;
  assert.equal(await verdictOf(round, INIT), 'certified');
  const stuck = `${STORE} ${ARRIVE} ${WAIT('WAIT')} ${LOAD} ${BARRIER}`;
  assert.notEqual(await verdictOf(stuck, INIT), 'certified');
});

test('what warps decide by words of their own has no state in common', async () => {
  const own = `shr.u32 %r2, %r1, 5; mul.wide.u32 %rd1, %r2, 4; add.s64 %rd0, %rd0, %rd1;`;
  assert.notEqual(await verdictOf(BARRIER, own), 'certified');
});

const COPY = `@%p3 mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 256;
  @%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
    [%r15], [%rd0], 256, [%r11];
  ${WAIT('COPIED')} xor.b32 %r10, %r10, 1;`;
const ASK = (offset: number): string =>
  `ld.global.u32 %r2, [%rd0+${offset}]; setp.eq.u32 %p5, %r2, 0;`;

test('what some rounds read back, and others do not, shows of no write that it is over', async () => {
  const before = `@%p3 mbarrier.init.shared.b64 [%r11], 1; mov.u32 %r15, word; ${BARRIER}`;
  const next = 'add.s64 %rd0, %rd0, 4;';
  const overwrite = `${ASK(128)} @%p5 bra KEEP; ${COPY} KEEP: ${BARRIER} ${BARRIER} ${next}`;
  const round = (read: string): string => `${STORE} ${BARRIER} ${read} ${BARRIER} ${overwrite}`;
  assert.equal(await verdictOf(round(LOAD), before), 'certified');
  assert.notEqual(await verdictOf(round(''), before), 'certified');
  for (const not of ['', '!']) {
    const skip = `${ASK(64)} @${not}%p5 bra SKIP;`;
    const mayRead = `${skip} ${LOAD} SKIP:`;
    assert.notEqual(await verdictOf(round(mayRead), before), 'certified');
    const either = `${skip} ${LOAD} ${BARRIER} bra SKIPPED; SKIP: ${BARRIER} SKIPPED:`;
    assert.notEqual(await verdictOf(round(either), before), 'certified');
    const both = `${skip} ${LOAD} ${BARRIER} bra SKIPPED; SKIP: ${LOAD} ${BARRIER} SKIPPED:`;
    assert.equal(await verdictOf(round(both), before), 'certified');
  }
});

test('an arrival of copies is open until its phase was waited for', async () => {
  // The arrival that follows a copy ends the phase of one round, one of a thread that of another.
  const copied = `cp.async.ca.shared.global [%r7], [%rd0], 4; cp.async.commit_group;
    cp.async.wait_group 0; cp.async.mbarrier.arrive.noinc.shared.b64 [%r11];`;
  const before = `${INIT} mov.u32 %r15, word;`;
  const either = `${ASK(64)} @%p5 bra PLAIN; ${copied} bra BOTH; PLAIN: ${ARRIVE} BOTH: ${BARRIER}`;
  const waited = `${either} ${WAIT('WAIT')} xor.b32 %r10, %r10, 1; ${BARRIER}`;
  assert.equal(await verdictOf(`${waited} add.s64 %rd0, %rd0, 4;`, before), 'certified');
});

/** A part of a round, in all rounds or where some bits of the round's number are equal to one. */
const operation = fc.constantFrom(STORE, LOAD, BARRIER, BARRIER, BARRIER);
interface Part {
  readonly operation: string;
  readonly mask: number;
  readonly equals: number;
}

const part: fc.Arbitrary<Part> = fc.record({
  operation,
  mask: fc.constantFrom(0, 0, 0, 1, 2, 3, 7, 15),
  equals: fc.nat(15),
});

function roundOf(parts: readonly Part[]): string {
  return parts
    .map(({ operation: each, mask, equals }, index) => {
      if (mask === 0) return each;
      const when = `and.b32 %r4, %r3, ${mask}; setp.ne.u32 %p2, %r4, ${equals & mask};`;
      return `${when} @%p2 bra L${index}; ${each} L${index}:`;
    })
    .join('\n');
}

test('what is certified for any number of rounds is certified for each', async () => {
  let certified = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 6 }), async (parts) => {
      const round = roundOf(parts);
      if ((await verdictOf(round)) !== 'certified') return;
      certified++;
      for (const rounds of [0, 1, 2, 3, 8, 17]) {
        const { verdict, coverage } = await check(kernelOf(round, rounds));
        // Without a round nothing may be asked of the protocol.
        if (coverage!.synchronizingReached === 0) assert.equal(verdict, 'inconclusive');
        else assert.equal(verdict, 'certified', `${round} with ${rounds} rounds`);
      }
    }),
    { numRuns: 16, seed: 7 },
  );
  assert.ok(certified > 2, `${certified} were certified`);
});
