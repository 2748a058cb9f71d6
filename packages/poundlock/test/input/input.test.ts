// Everything that holds PTX: binaries, dumps, streams, sources, folders of compilers.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { InputError } from '@poundlock/core/internal/base';
import { readInput, readStream } from '#src/input/index';
import { modulesOf } from '#src/input/modules';
import { folder, poundlock } from '../cli/fake-host.ts';
import { exchange } from '../launches/texts.ts';
import { cubin, fatbin, library, zip } from './files.ts';

const TEXT = exchange();
const WRONG = exchange({ isRight: false }).replaceAll('exchange', 'wrong');
const COMPILING = {
  cwd: '/',
  env: {},
  nvcc: undefined,
  gpu: undefined,
  flags: [],
  onMessage: () => undefined,
};

test('binaries yield the PTX in them', (t) => {
  const cwd = folder(t);
  const files: readonly (readonly [string, Uint8Array, number])[] = [
    ['module.fatbin', fatbin(TEXT), 1],
    ['code.cubin', cubin(TEXT.replaceAll('\n', '\0')), 1],
    ['library.so', library([fatbin(TEXT), fatbin(WRONG), fatbin(TEXT)]), 2],
  ];
  for (const [name, bytes, count] of files) {
    writeFileSync(join(cwd, name), bytes);
    const texts = readInput(join(cwd, name), name, COMPILING);
    assert.equal(texts.length, count, name);
    assert.equal(texts[0]!.text.trimEnd(), TEXT.trimEnd(), name);
  }
});

test('a GPU chooses the entry of a fatbin that it runs', (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'a.so'), library([fatbin(TEXT, 80), fatbin(WRONG, 100)]));
  const texts = readInput(join(cwd, 'a.so'), 'a.so', { ...COMPILING, gpu: 'sm_90a' });
  assert.deepEqual(
    texts.map(({ text }) => text),
    [TEXT],
  );
});

test('the PTX in an archive, of its texts and of its libraries', (t) => {
  const cwd = folder(t);
  const path = join(cwd, 'kernels.whl');
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const whole = zip({
    'kernels/a.ptx': bytes(TEXT),
    'kernels/_ops.so': library([fatbin(WRONG)]),
    'kernels/notes.txt': bytes(TEXT.replaceAll('exchange', 'other')),
  });
  writeFileSync(path, whole);
  const texts = readInput(path, 'kernels.whl', COMPILING);
  assert.deepEqual(
    texts.map(({ text }) => text.trimEnd()),
    [TEXT.trimEnd(), WRONG.trimEnd()],
  );
  writeFileSync(path, zip({ 'kernels/notes.txt': bytes('nothing') }));
  assert.throws(() => readInput(path, 'kernels.whl', COMPILING), /has no PTX in its files/);
  for (let size = 4; size < whole.length; size += 7) {
    writeFileSync(path, whole.subarray(0, size));
    assert.throws(() => readInput(path, 'kernels.whl', COMPILING), InputError);
  }
});

test('a binary without PTX says how to get it', (t) => {
  const cwd = folder(t);
  writeFileSync(join(cwd, 'bare.cubin'), cubin(null));
  assert.throws(() => readInput(join(cwd, 'bare.cubin'), 'bare.cubin', COMPILING), {
    name: 'InputError',
    message: /^has no PTX: compile with -lineinfo/,
  });
});

test('damaged binaries are refused, or have another text', (t) => {
  const cwd = folder(t);
  const path = join(cwd, 'damaged');
  const whole = library([fatbin(TEXT.slice(0, 200))]);
  const read = (bytes: Uint8Array): void => {
    writeFileSync(path, bytes);
    try {
      readInput(path, 'damaged', COMPILING);
    } catch (error) {
      assert(error instanceof InputError, String(error));
    }
  };
  for (let size = 0; size < whole.length; size += 3) read(whole.subarray(0, size));
  for (let at = 0; at < whole.length; at += 2) {
    const changed = whole.slice();
    changed[at]! ^= 0xff;
    read(changed);
  }
});

test('modules of a dump keep their lines, and headers of tools are left out', () => {
  const header = 'Fatbin ptx code:\n================\narch = sm_90a\n\n// a comment\n';
  const dump = `\n${header}${TEXT}\n${header}${WRONG}`;
  const modules = modulesOf(dump);
  assert.equal(modules.length, 2);
  for (const [index, text] of modules.entries()) {
    const line = dump
      .split('\n')
      .findIndex((each) => each.includes(index === 0 ? 'exchange(' : 'wrong('));
    assert.match(text.split('\n')[line] ?? '', /\.entry/);
    assert.doesNotMatch(text, /arch = |====/);
  }
  assert.throws(() => readStream('hello', '/'), InputError);
});

test('one table for all kernels of an input, and the worst exit code', async (t) => {
  const cwd = folder(t, { 'dump.txt': `Fatbin ptx code:\n${TEXT}\nFatbin ptx code:\n${WRONG}` });
  const { code, stdout, stderr } = await poundlock(cwd, ['check', 'dump.txt']);
  assert.equal(code, 1, stderr);
  assert.match(stdout, /certified +exchange/);
  assert.match(stdout, /counterexample +wrong/);
  assert.match(stdout, /2 results: 1 certified, 1 counterexample/);
  const one = await poundlock(cwd, ['check', 'dump.txt', '--entry', 'exchange']);
  assert.equal(one.code, 0, one.stderr);
});

test('the standard input is a text', async (t) => {
  const run = await poundlock(folder(t), ['check', '-'], { readInput: () => TEXT });
  assert.equal(run.code, 0, run.stderr);
});

test('a folder of Triton has the parts that its compiler says', (t) => {
  const cwd = folder(t, {
    'mm.ptx': TEXT,
    'mm.json': JSON.stringify({
      num_warps: 2,
      num_ctas: 1,
      shared: 128,
      launch_pdl: true,
      tensordesc_meta: [{ swizzle: 3, elem_size: 2, block_size: [128, 64] }, null],
    }),
  });
  const [input] = readInput(join(cwd, 'mm.ptx'), 'mm.ptx', COMPILING);
  const { warps, sharedBytes, cluster, isProgrammatic, isCooperative } = input!.supplied!;
  assert.deepEqual(
    [warps, sharedBytes, cluster, isProgrammatic, isCooperative],
    [2, 128, [1, 1, 1], true, undefined],
  );
  assert.deepEqual(input!.supplied!.boxesInOrder, [16_384, null]);
});

test('a source is compiled by the compiler that is named, or the way to do so is shown', async (t) => {
  const cwd = folder(t, { 'kernel.cu': '// CUDA', 'text.ptx': TEXT });
  mkdirSync(join(cwd, 'bin'));
  const script = '#!/bin/sh\necho "$@" > words\nfor out; do :; done\ncp text.ptx "$out"\n';
  writeFileSync(join(cwd, 'bin', 'nvcc'), script);
  chmodSync(join(cwd, 'bin', 'nvcc'), 0o755);
  const words = ['check', 'kernel.cu', '--nvcc', 'bin/nvcc', '--', '-std=c++17'];
  const { code, stderr } = await poundlock(cwd, words, { env: { PATH: '/usr/bin:/bin' } });
  assert.equal(code, 0, stderr);
  const absent = await poundlock(cwd, ['check', 'kernel.cu', '--nvcc', 'bin/absent']);
  assert.equal(absent.code, 2);
  assert.match(absent.stderr, /run nvcc -arch=sm_90a -lineinfo -ptx kernel\.cu -o kernel\.ptx/);
});
