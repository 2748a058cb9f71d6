// Stores that unknown data decides may change what is known of memory, though no other warp sees it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';
import { kernelText } from '../../kernel-text.ts';

const DECLARATIONS = `.reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  .shared .align 16 .b8 word[256]; .local .align 4 .b8 own[16];`;
const BEGIN = `ld.param.u64 %rd0, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, word;
  add.u32 %r4, %r3, %r2; xor.b32 %r5, %r4, 128; mov.u32 %r6, 0; mov.u32 %r7, 1;
  st.local.u32 [own], %r6; ld.global.u32 %r8, [%rd0+4096]; setp.eq.u32 %p1, %r8, 0;`;
/** Leaves out the barrier between two warps where the word that was stored is 1. */
const END = `st.shared.u32 [%r4], %r1; setp.eq.u32 %p2, %r9, 1; @%p2 bra OVER; bar.sync 0;
  OVER: ld.shared.u32 %r10, [%r5]; ret;`;

async function verdictOf(store: string, load: string, threads = 64): Promise<string> {
  const launch = {
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    params: [{ kind: 'pointer', bytes: 65536, int32: [0, 0, 0, 0] }],
  };
  const body = `${BEGIN} ${store} ${load === '' ? '' : `${load} ${END}`}`;
  const text = kernelText(DECLARATIONS, body, '.param .u64 p');
  const kernel = ptxKernel({
    ptx: { file: 'kernel.ptx', text },
    launch: { file: 'launch.json', text: JSON.stringify(launch) },
  });
  return (await check(kernel)).verdict;
}

const LOAD_LOCAL = 'ld.local.u32 %r9, [own];';
const LOAD_GLOBAL = 'ld.global.u32 %r9, [%rd0];';

test('a store that a predicate decides', async () => {
  assert.equal(await verdictOf('', LOAD_LOCAL), 'certified');
  assert.equal(await verdictOf('@%p1 st.local.u32 [own], %r7;', LOAD_LOCAL), 'inconclusive');
  assert.equal(await verdictOf('@%p1 st.local.u32 [own+4], %r7;', LOAD_LOCAL), 'certified');
  assert.equal(await verdictOf('', LOAD_GLOBAL), 'certified');
  assert.equal(await verdictOf('@%p1 st.global.u32 [%rd0], %r7;', LOAD_GLOBAL), 'inconclusive');
  assert.equal(await verdictOf('@%p1 st.global.u32 [%rd0+4], %r7;', LOAD_GLOBAL), 'certified');
});

/** Ends where `%r9` is 0 the first time, and waits forever where it is not the second time. */
const TWICE = (store: string): string => `ld.global.u64 %rd1, [%rd0+4096];
  ld.global.u64 %rd2, [%rd0+8192]; setp.eq.u64 %p3, %rd1, 0; mov.u32 %r11, 0;
  AGAIN: ${store} ld.local.u32 %r9, [own]; setp.eq.u32 %p2, %r9, 0;
  setp.eq.u32 %p1, %r11, 0; @%p1 bra FIRST; @%p2 bra END; bar.sync 1, 96; bra END;
  FIRST: @!%p2 bra END; mov.b64 %rd1, %rd2; add.u32 %r11, %r11, 1; bra AGAIN; END: ret;`;

test('a part of what was stored, or what a branch may have stored, is new each time', async () => {
  const part = TWICE('st.local.u64 [own], %rd1;');
  assert.notEqual(await verdictOf(part, '', 1), 'certified');
  const maybe = TWICE('setp.eq.u64 %p3, %rd1, 5; @%p3 bra NONE; st.local.u32 [own], %r1; NONE:');
  assert.notEqual(await verdictOf(maybe, '', 1), 'certified');
  assert.equal(await verdictOf(part.replace('bar.sync 1, 96;', ''), '', 1), 'certified');
});

test('a store that a branch decides', async () => {
  const around = (store: string): string => `@%p1 bra NONE; ${store} NONE:`;
  const global = 'st.global.u32 [%rd0], %r7;';
  assert.equal(await verdictOf(around(global), LOAD_GLOBAL), 'inconclusive');
  const beside = around(global.replace('%rd0', '%rd0+8'));
  assert.equal(await verdictOf(beside, LOAD_GLOBAL), 'certified');
});

/** As {@link END}, where the low byte of what was stored is 1. */
const BYTE = 'ld.local.u8 %r9, [own];';

test('what the ways of a branch do not store to local memory is known after them', async () => {
  const around = (store: string): string => `@%p1 bra NONE; ${store} NONE:`;
  const known: [string, string][] = [
    [around(''), LOAD_LOCAL],
    [around('st.local.u32 [own+4], %r7;'), LOAD_LOCAL],
    [around('mov.u64 %rd3, own; st.local.u32 [own+4], %r7;'), LOAD_LOCAL],
    [`mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3; ${around('st.u32 [%rd3+4], %r7;')}`, BYTE],
  ];
  for (const [store, load] of known) assert.equal(await verdictOf(store, load), 'certified', store);
  const unknown: [string, string][] = [
    [around('st.local.u32 [own], %r7;'), LOAD_LOCAL],
    [around('mov.u64 %rd3, own; st.local.u32 [%rd3], %r7;'), LOAD_LOCAL],
    [`mov.u64 %rd3, own; cvta.local.u64 %rd3, %rd3; ${around('st.u32 [%rd3], %r7;')}`, BYTE],
    [around('st.local.v2.u32 [own], {%r7, %r7};'), LOAD_LOCAL],
    [
      `LOOP: st.local.u32 [own], %r8; ld.global.u32 %r8, [%rd0+8192]; setp.eq.u32 %p1, %r8, 0; @%p1 bra LOOP;`,
      BYTE,
    ],
  ];
  for (const [store, load] of unknown)
    assert.notEqual(await verdictOf(store, load), 'certified', store);
});

test('local memory is known by its bytes', async () => {
  const known: [string, string][] = [
    ['st.local.u16 [own], %r6; st.local.u16 [own+2], %r6;', LOAD_LOCAL],
    ['st.local.u8 [own+2], %r8;', BYTE],
    ['st.local.v2.u32 [own], {%r6, %r6};', 'ld.local.u64 %rd3, [own]; cvt.u32.u64 %r9, %rd3;'],
    ['mov.b64 %rd3, {%r7, %r6}; st.local.u64 [own], %rd3;', 'ld.local.u32 %r9, [own+4];'],
  ];
  for (const [store, load] of known) assert.equal(await verdictOf(store, load), 'certified', store);
  assert.equal(await verdictOf('st.local.u8 [own], %r7;', BYTE), 'counterexample');
  const changed = 'mov.u32 %r9, 256; st.local.u32 [own], %r9; ld.local.u8 %r9, [own+1];';
  assert.equal(await verdictOf(changed, 'mov.u32 %r9, %r9;'), 'counterexample');
  for (const store of ['st.local.u8 [own+2], %r8;', 'st.local.u16 [own+2], %r8;'])
    assert.notEqual(await verdictOf(store, LOAD_LOCAL), 'certified', store);
});
