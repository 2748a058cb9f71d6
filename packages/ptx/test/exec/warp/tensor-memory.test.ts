// Tensor memory: transfers that are open until they are waited for, and its allocation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kernel } from '@poundlock/core/internal/program';
import { check } from '../../accepting.ts';
import { rolesOf } from '#src/lower/kernel';
import { lowerRun } from '#src/lower/roles';
import type { ReferenceRun } from '#src/steps/run';
import { kernelText } from '../../kernel-text.ts';
import { runText } from '../machine/launch-of.ts';

const DECLARATIONS = '.reg .b32 %r<8>; .reg .pred %p<4>; .shared .align 4 .b32 at;';

function run(body: string, threads = 64): ReferenceRun {
  return runText(kernelText(DECLARATIONS, `${body} ret;`), { block: [threads, 1, 1] });
}

async function verdict(result: ReferenceRun): Promise<string> {
  const subject = kernel('kernel', {}, rolesOf(lowerRun(result), result));
  return (await check(subject, { now: () => performance.now() })).verdict;
}

const WARP_0 = 'mov.u32 %r0, %tid.x; mov.u32 %r1, 0; setp.ge.u32 %p0, %r0, 32; @%p0 bra OTHER;';
const STORE = 'tcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r2};';
const LOAD = 'tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];';
const WAIT_STORE = 'tcgen05.wait::st.sync.aligned;';
const WAIT_LOAD = 'tcgen05.wait::ld.sync.aligned;';

const allocate = (columns: number): string =>
  `tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], ${columns};`;

const CASES: Readonly<Record<string, readonly [string, string, string]>> = {
  'a store that is waited for': [`${STORE} ${WAIT_STORE}`, `${LOAD} ${WAIT_LOAD}`, 'certified'],
  'a store that is not waited for': [STORE, `${LOAD} ${WAIT_LOAD}`, 'counterexample'],
  'a store whose wait is one for loads': [
    `${STORE} ${WAIT_LOAD}`,
    `${LOAD} ${WAIT_LOAD}`,
    'counterexample',
  ],
  'a load that is waited for': [`${LOAD} ${WAIT_LOAD}`, `${STORE} ${WAIT_STORE}`, 'certified'],
  'a load that is not waited for': [LOAD, `${STORE} ${WAIT_STORE}`, 'counterexample'],
  'a store with work between it and its wait': [
    `${STORE} st.shared.u32 [at], %r1; ${WAIT_STORE}`,
    `${LOAD} ${WAIT_LOAD}`,
    'certified',
  ],
};

for (const [name, [first, second, expected]] of Object.entries(CASES)) {
  test(`${name} before a barrier: ${expected}`, async () => {
    const result = run(
      `${WARP_0} ${allocate(32)} ${first} bar.sync 0; bra END; OTHER: bar.sync 0; ${second} END: bar.warp.sync -1;`,
    );
    assert.equal(await verdict(result), expected);
  });
}

const free = (column: number, columns: number): string =>
  `mov.u32 %r4, ${column}; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, ${columns};`;

test('columns are freed after the last access of other warps', async () => {
  const ends = (barrier: string): string =>
    `${WARP_0} ${allocate(64)} bar.sync 0; ${barrier} ${free(0, 64)} bra END;
     OTHER: bar.sync 0; ${LOAD} ${WAIT_LOAD} ${barrier} END: bar.warp.sync -1;`;
  assert.equal(await verdict(run(ends('bar.sync 0;'))), 'certified');
  assert.equal(await verdict(run(ends(''))), 'counterexample');
});

const FAULTS: Readonly<Record<string, readonly [string, RegExp | null]>> = {
  'columns that are freed': [`${allocate(64)} ${free(0, 64)}`, null],
  'columns that are freed and allocated again': [
    `${allocate(512)} ${free(0, 512)} ${allocate(512)} ${free(0, 512)}`,
    null,
  ],
  'columns that are not freed': [allocate(64), /not freed/],
  'columns that are freed twice': [
    `${allocate(64)} ${free(0, 64)} ${free(0, 64)}`,
    /not allocated/,
  ],
  'a part of the columns': [`${allocate(64)} ${free(0, 32)}`, /not allocated|not freed/],
};

for (const [name, [body, message]] of Object.entries(FAULTS)) {
  test(`${name}: ${message === null ? 'no fault' : 'a fault'}`, () => {
    const { faults } = run(body, 32);
    assert.equal(faults.length > 0, message !== null);
    if (message !== null) assert.match(faults[0]!.text, message);
  });
}

test('an allocation for which there is no room waits', () => {
  const { warps, undecided } = run(`${allocate(512)} ${allocate(32)}`, 32);
  assert.deepEqual([warps[0]!.stuck?.op, undecided], ['allocate', []]);
});
