// Damaged core dumps: every one is an error that names the file, or is read within bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { bytesInMemory } from '#src/hang/dump/byte-source';
import { readCoreDump } from '#src/hang/dump/core-dump';
import { makeTable } from '#src/hang/table';
import { crossedDump } from './pair.ts';

const DUMP = crossedDump();

/** Reads all of a dump; `false` where it is refused. */
function isRead(bytes: Uint8Array): boolean {
  try {
    const gpu = readCoreDump(bytesInMemory('hang.core', bytes));
    const context = {
      gpu,
      blocks: gpu.blocks,
      text: undefined,
      codeAt: gpu.codeAt,
      bufferAt: () => null,
      fileName: (file: string) => file,
    };
    makeTable(context);
    for (const { sharedWord } of gpu.blocks) sharedWord(0x400);
    return true;
  } catch (error) {
    assert.ok(error instanceof InputError, String((error as Error).stack));
    assert.doesNotMatch(error.message, /\n/);
    return false;
  }
}

test('the dump itself is read', () => assert.ok(isRead(DUMP)));

test('a prefix of a dump is refused', () => {
  // The table of sections is at its end.
  for (let length = 0; length < DUMP.length; length += length < 256 ? 1 : 61)
    assert.ok(!isRead(DUMP.subarray(0, length)), `${length} bytes`);
});

test('a dump with other bytes is refused, or read', () => {
  let state = 1;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let refused = 0;
  const rounds = 1500;
  for (let round = 0; round < rounds; round++) {
    const bytes = DUMP.slice();
    // Most bytes are contents of registers: the tables are the header and the end.
    const isTable = round % 3 > 0;
    for (let change = 0; change < 3; change++) {
      const at = isTable ? bytes.length - 1 - next(bytes.length >> 1) : next(bytes.length);
      bytes[at] = [0, 0xff, 0x80, next(256)][next(4)]!;
    }
    if (!isRead(bytes)) refused++;
  }
  assert.ok(refused > 0 && refused < rounds);
});
