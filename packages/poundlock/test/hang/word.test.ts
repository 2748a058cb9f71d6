// Words of mbarriers: the values that were seen on an H100.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWord, encodeWord, isBarrierWord } from '#src/hang/dump/word';

const SEEN = [
  [0x7fff_f800_001f_fffen, { phaseParity: 0, pending: 1, count: 1, bytes: 0 }],
  [0x7fff_f000_001f_fffcn, { phaseParity: 0, pending: 2, count: 2, bytes: 0 }],
  [0x0000_03ff_fe1f_fffen, { phaseParity: 0, pending: 0, count: 1, bytes: 16 }],
  [0x0000_03ff_e01f_fffen, { phaseParity: 0, pending: 0, count: 1, bytes: 256 }],
  [0xffff_f800_001f_fffcn, { phaseParity: 1, pending: 1, count: 2, bytes: 0 }],
  [0xffff_f800_001f_fffen, { phaseParity: 1, pending: 1, count: 1, bytes: 0 }],
] as const;

test('words that were seen are decoded and encoded', () => {
  for (const [word, parts] of SEEN) {
    assert.deepEqual(decodeWord(word), { ...parts, hasOverflowed: false });
    assert.equal(encodeWord(parts), word);
    assert.ok(isBarrierWord(word));
  }
});

test('a word of three arrivals on a count of two has overflowed', () => {
  assert.ok(decodeWord(0x7fff_f400_001f_fffcn).hasOverflowed);
});

test('any parts survive', () => {
  for (let count = 1; count < 1 << 20; count = count * 3 + 1)
    for (const bytes of [-4096, 0, 1, 65_536])
      for (const phaseParity of [0, 1] as const) {
        const parts = { phaseParity, pending: count, count, bytes };
        assert.deepEqual(decodeWord(encodeWord(parts)), { ...parts, hasOverflowed: false });
      }
});

test('zero and data are no barriers', () => {
  for (const word of [0n, 1n, 0x12n, 0x7fff_f800_001f_ffffn]) assert.ok(!isBarrierWord(word));
});
