// Texts of a debugger: columns in any order, ranges of threads, and text that makes no sense.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { readDebuggerText } from '#src/hang/text/debugger-text';

const THREADS = `
#0  ring<<<(2,1,1),(96,1,1)>>> () at ring.cu:19
  BlockIdx ThreadIdx To BlockIdx ThreadIdx Count                 PC Filename  Line
Kernel 0
*  (0,0,0)   (0,0,0)     (0,0,0)   (0,0,0)     1 0x00007f178b7aca30  ring.cu    19
   (0,0,0)  (32,0,0)     (1,0,0)  (31,0,0)    96 0x00007f178b7ac9f0  ring.cu    19
`;

test('ranges of threads over several blocks', () => {
  const { blocks, kernelName } = readDebuggerText(THREADS, 'gdb.txt');
  assert.equal(kernelName, 'ring');
  const shown = blocks.map(({ block, warps }) => [
    block[0],
    warps.map(({ warp, lanes }) => [warp, lanes]),
  ]);
  assert.deepEqual(shown, [
    [
      0,
      [
        [0, 1],
        [1, 0xffff_ffff],
        [2, 0xffff_ffff],
      ],
    ],
    [1, [[0, 0xffff_ffff]]],
  ]);
});

test('columns in another order, and more of them', () => {
  const text = `
  BlockIdx First Active ThreadIdx Wp Extra Active PC Active Lanes Mask
   (3,0,0)              (64,0,0)  7   odd 0x1230       0x0000000f
`;
  const { blocks } = readDebuggerText(text, 'gdb.txt');
  const [block] = blocks;
  assert.deepEqual(block?.block, [3, 0, 0]);
  assert.equal(block?.warps[0]?.groups[0]?.pc, 0x1230n);
  assert.equal(block?.warps[0]?.lanes, 15);
});

test('a count that no GPU has is bounded', () => {
  const rows = THREADS.replaceAll(' 96 ', ' 9007199254740991 ');
  readDebuggerText(rows + rows, 'gdb.txt');
});

test('words and registers are of the block and the thread in focus', () => {
  const text = `${THREADS}
[Current focus set to CUDA kernel 0, block (0,0,0), thread (0,0,0), device 0]
0x600:\t0xfffff800001ffffe\t0x7ffff800001ffffe
R3             0x618               1560
`;
  const [first, second] = readDebuggerText(text, 'gdb.txt').blocks;
  assert.equal(first?.sharedWord(0x608), 0x7fff_f800_001f_fffen);
  assert.equal(second?.sharedWord(0x608), undefined);
  assert.equal(first?.warps[0]?.groups[0]?.register(3), 0x618);
  assert.equal(first?.warps[1]?.groups[0]?.register(3), undefined);
});

test('any part of a text is read, or refused', () => {
  for (let end = 0; end < THREADS.length; end++)
    try {
      readDebuggerText(THREADS.slice(0, end) + THREADS.slice(end + 7), 'gdb.txt');
    } catch (error) {
      assert.ok(error instanceof InputError);
    }
});
