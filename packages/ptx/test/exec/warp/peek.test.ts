// Tries that are not repeated: nothing is assumed where the warp does the same either way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReferenceRun } from '#src/steps/run';
import { kernelText } from '../../kernel-text.ts';
import { runText } from '../machine/launch-of.ts';

const DECLARATIONS = `.reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<6>;
  .shared .align 8 .b64 full; .shared .align 8 .b64 other; .shared .align 4 .b32 word[64]; .local .align 4 .b32 own;`;
const PEEK = 'mbarrier.try_wait.parity.shared::cta.b64 %p0, [full], 0;';
const WAIT = 'WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra WAIT;';
const STORE = 'mov.u32 %r1, 5; st.shared.u32 [word], %r1;';

/** Two warps: the second one arrives, the first one executes the body. */
function run(body: string): ReferenceRun {
  const text = kernelText(
    DECLARATIONS,
    `mov.u32 %r0, %tid.x; setp.ne.u32 %p5, %r0, 0; @%p5 bra READY;
     mbarrier.init.shared::cta.b64 [full], 1; mbarrier.init.shared::cta.b64 [other], 1;
     READY: bar.sync 0; setp.ge.u32 %p4, %r0, 32; @%p4 bra ARRIVES; ${body} ret;
     ARRIVES: setp.ne.u32 %p5, %r0, 32; @%p5 bra END; mbarrier.arrive.shared::cta.b64 _, [full]; END: ret;`,
  );
  return runText(text, { block: [64, 1, 1] });
}

const OTHER = 'mbarrier.try_wait.parity.shared::cta.b64 %p2, [other], 1;';
const STORED_ANSWER = `${PEEK} selp.b32 %r3, 1, 0, %p0; st.local.u32 [own], %r3; @%p0 bra DONE; ${WAIT} DONE: ${OTHER}`;
const GENERIC = 'mov.u64 %rd0, own; cvta.local.u64 %rd1, %rd0;';

const HARMLESS: Readonly<Record<string, string>> = {
  'a wait that only the answer no makes': `${PEEK} ${STORE} @%p0 bra DONE; ${WAIT} DONE: ld.shared.u32 %r2, [word];`,
  'a token that is a word': `${PEEK} selp.b32 %r3, 1, 0, %p0; ${STORE} setp.ne.u32 %p2, %r3, 0; @%p2 bra DONE; ${WAIT} DONE: st.shared.u32 [word+4], %r1;`,
  'an answer that is not used': `${PEEK} ${STORE} ${WAIT} st.shared.u32 [word+4], %r1;`,
  'a wait either way': `${PEEK} @%p0 bra YES; mov.u32 %r3, 1; bra MEET; YES: mov.u32 %r3, 2; MEET: ${WAIT}`,
  'a second try right behind the first': `${PEEK} @%p0 bra DONE; ${WAIT} DONE: ${STORE}`,
  'a load by a generic address of local memory that only the answer no makes': `${GENERIC} ${PEEK} ${STORE} @%p0 bra DONE; ld.u32 %r2, [%rd1]; ${WAIT} DONE: st.shared.u32 [word+4], %r1;`,
  'an answer that is in local memory when the next try is made': `${STORED_ANSWER} ${STORE}`,
  'a warp that ends behind the wait': `${PEEK} ${STORE} @%p0 bra DONE; ${WAIT} DONE: ret;`,
};

const DECISIVE: Readonly<Record<string, string>> = {
  'a store that only the answer yes makes': `${PEEK} @!%p0 bra NO; ${STORE} NO: ${WAIT}`,
  'another value that is stored': `${PEEK} selp.b32 %r3, 1, 2, %p0; st.shared.u32 [word], %r3; @%p0 bra DONE; ${WAIT} DONE: bar.warp.sync -1;`,
  'another address': `${PEEK} selp.b32 %r3, 0, 4, %p0; mov.u32 %r4, word; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r0; ${WAIT}`,
  'a wait for another barrier': `${PEEK} @%p0 bra DONE; OTHER: mbarrier.try_wait.parity.shared::cta.b64 %p1, [other], 1; @!%p1 bra OTHER; DONE: st.shared.u32 [word], %r0;`,
  'an answer that is stored later': `${PEEK} selp.b32 %r3, 1, 2, %p0; ${STORE} @%p0 bra DONE; ${WAIT} DONE: st.shared.u32 [word], %r3;`,
  'an answer kept in local memory': `${PEEK} selp.b32 %r3, 1, 2, %p0; st.local.u32 [own], %r3; ${STORE} @%p0 bra DONE; ${WAIT} DONE: ld.local.u32 %r3, [own]; st.shared.u32 [word], %r3;`,
  'an end that only the answer yes has': `${PEEK} @%p0 ret; ${STORE} ${WAIT}`,
  'work between one try and the next': `AGAIN: ${PEEK} @%p0 bra DONE; ${STORE} bra AGAIN; DONE: st.shared.u32 [word], %r0;`,
};

for (const [name, body] of Object.entries(HARMLESS)) {
  test(`${name}: nothing is assumed`, () => {
    const result = run(body);
    assert.deepEqual([result.undecided, result.assumptions], [[], []]);
    assert.equal(result.warps[0]!.steps.filter(({ op }) => op === 'wait').length, 1);
  });
}

for (const [name, body] of Object.entries(DECISIVE)) {
  test(`${name}: the kernel is undecided at the try`, () => {
    const result = run(body);
    assert.match(result.undecided[0]?.text ?? '', /answer of a try/);
    assert.match(result.places(result.undecided[0]!.at).opcode, /try_wait/);
  });
}

test('a try for a phase behind one that the warp has not waited for is an assumption', () => {
  const next = (peeked: string): string =>
    `setp.eq.u32 %p3, %r0, 0; ${peeked} @%p3 mbarrier.arrive.shared::cta.b64 _, [full];
     mbarrier.try_wait.parity.shared::cta.b64 %p0, [full], 1; ${STORE} @%p0 bra DONE;
     NEXT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 1; @!%p1 bra NEXT; DONE: ${STORE}`;
  const waited = run(next(WAIT));
  assert.deepEqual([waited.undecided, waited.assumptions], [[], []]);
  const ahead = run(next('bar.sync 1, 32;'));
  assert.match(ahead.assumptions[0]?.text ?? '', /the phase before/);
});

test('what a try has left in local memory is unknown when another one is made', () => {
  const body = `${STORED_ANSWER} ld.local.u32 %r4, [own]; setp.ne.u32 %p3, %r4, 0; @%p3 st.shared.u32 [word], %r0;`;
  const { undecided, warps } = run(body);
  assert.deepEqual(undecided, []);
  const store = warps[0]!.steps.find(({ op }) => op === 'access');
  assert.ok(store?.op === 'access' && store.isPossible === true);
});
