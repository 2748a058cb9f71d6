// Images: fatbins as nvcc makes them of examples/ptx/tile-sum.cu (-arch=sm_90a -lineinfo, with
// -no-compress, --compress-mode=speed -Xfatbin -compress-all, and =size), cubins, and LZ4.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InputError } from '../../../core/src/base/index.ts';
import { bestText, hasLines, targetOf } from '#src/record/images/compiled-text';
import { ptxOfCubin, ptxTextsOfCubin } from '#src/record/images/elf';
import { fatbinEntries } from '#src/record/images/fatbin';
import { elf } from './elf.ts';
import { unpackLz4 } from '#src/record/images/lz4';
import { openImage, openRelocatable } from '#src/record/images/open-image';

const read = (mode: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, 'fatbins', `tile-sum.${mode}.fatbin`));

const PACKINGS = { none: 'plain', speed: 'lz4', size: 'zstd' } as const;

for (const [mode, packing] of Object.entries(PACKINGS)) {
  test(`a fatbin that is ${packing}: the PTX of the code that ran`, () => {
    const entries = fatbinEntries(read(mode));
    assert.ok(entries.every((entry) => entry.packing === packing));
    assert.deepEqual(entries.map(({ kind, isSpecific }) => `${kind} ${isSpecific}`).toSorted(), [
      'cubin true',
      'ptx false',
      'ptx true',
    ]);
    const { texts, ran } = openImage(read(mode), 90, () => undefined);
    assert.equal(ran, 'sm_90a');
    const best = bestText(texts, 'tile_sum');
    assert.deepEqual([best!.origin, best!.isExact], ['fatbin', true]);
    assert.equal(targetOf(best!.text), 'sm_90a');
    assert.ok(hasLines(best!.text));
    assert.equal(texts.filter(({ isExact }) => !isExact).length, 1, 'the text of sm_90');
    // A watched compiler is preferred: its text has the comments, too.
    const pair = { text: best!.text, origin: 'ptxas', isExact: true } as const;
    const watched = openImage(read(mode), 90, () => pair);
    assert.equal(bestText(watched.texts, 'tile_sum')!.origin, 'ptxas');
  });
}

test('on another device of the architecture no code for one device alone runs', () => {
  const { texts, ran } = openImage(read('none'), 103, () => undefined);
  assert.equal(ran, undefined);
  assert.deepEqual(
    texts.map(({ text, isExact }) => [targetOf(text), isExact]),
    [['sm_90', true]],
  );
});

test('a cubin with line information has its PTX, without lines', () => {
  const cubin = fatbinEntries(read('none'))
    .find(({ kind }) => kind === 'cubin')!
    .read();
  const text = ptxOfCubin(cubin)!;
  assert.equal(targetOf(text), 'sm_90a');
  assert.ok(!hasLines(text));
  assert.match(text, /mbarrier\.try_wait/);
});

test('linked code has the PTX of each of its objects', () => {
  const cubin = elf({
    '.nv_debug_ptx_txt.797510753': '.version 9.0\0.target sm_90a\0',
    '.text': 'code',
    '.nv_debug_ptx_txt.12': '.version 8.0\0',
  });
  assert.deepEqual(ptxTextsOfCubin(cubin), ['.version 9.0\n.target sm_90a\n', '.version 8.0\n']);
});

test('the fatbins of relocatable code lie one after the other, at multiples of 8', () => {
  const fatbin = read('none');
  const bytes = Buffer.concat([
    fatbin,
    Buffer.alloc(8 + ((8 - (fatbin.length % 8)) % 8)),
    read('size'),
  ]);
  const texts = openRelocatable(bytes, 90, () => undefined);
  assert.equal(texts.filter(({ isExact }) => isExact).length, 4);
  assert.throws(() => openRelocatable(bytes.subarray(0, -9), 90, () => undefined), InputError);
});

test('a damaged image is an error of its input, never another one', () => {
  const images = Object.keys(PACKINGS).map(read);
  const damage = fc.record({
    image: fc.constantFrom(...images),
    at: fc.nat(40_000),
    byte: fc.nat(255),
    length: fc.nat(40_000),
  });
  fc.assert(
    fc.property(damage, ({ image, at, byte, length }) => {
      const bytes = Uint8Array.from(image.subarray(0, Math.max(4, length)));
      bytes[4 + (at % Math.max(1, bytes.length - 4))] = byte;
      try {
        openImage(bytes, 90, () => undefined);
      } catch (error) {
        assert.ok(error instanceof InputError, String(error));
      }
    }),
    { numRuns: 300 },
  );
});

/** Packs as LZ4 does, with every match that a short look back finds. */
function packLz4(source: Uint8Array): Uint8Array {
  const out: number[] = [];
  const rest = (length: number): void => {
    for (let left = length - 15; left >= 0; left -= 255) out.push(Math.min(left, 255));
  };
  let literals: number[] = [];
  for (let at = 0; at < source.length;) {
    let length = 0;
    let distance = 0;
    for (let back = 1; back <= Math.min(at, 64); back++) {
      let same = 0;
      while (at + same < source.length && source[at + same] === source[at + same - back]) same++;
      if (same > length) [length, distance] = [same, back];
    }
    if (length < 4) {
      literals.push(source[at++]!);
      continue;
    }
    out.push((Math.min(literals.length, 15) << 4) | Math.min(length - 4, 15));
    rest(literals.length);
    out.push(...literals, distance & 255, distance >> 8);
    rest(length - 4);
    literals = [];
    at += length;
  }
  out.push(Math.min(literals.length, 15) << 4);
  rest(literals.length);
  return Uint8Array.from([...out, ...literals]);
}

test('LZ4 unpacks what was packed', () => {
  const bytes = fc.array(fc.constantFrom(0, 1, 2, 255), { maxLength: 2000 });
  fc.assert(
    fc.property(bytes, (list) => {
      const source = Uint8Array.from(list);
      assert.deepEqual(unpackLz4(packLz4(source), source.length), source);
    }),
  );
});

test('LZ4 refuses a block that is larger than its size, or damaged', () => {
  const packed = packLz4(new Uint8Array(100));
  assert.throws(() => unpackLz4(packed, 99), InputError);
  assert.throws(() => unpackLz4(Uint8Array.of(0x10), 10), InputError);
  assert.throws(() => unpackLz4(Uint8Array.of(0x00, 1, 0), 10), InputError);
});
