// Declarations, directives and operands: what ptxas takes is read, and what it refuses is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePtx } from '#src/text/parse';
import { REFUSED, TAKEN } from './grammar-texts.ts';

test('texts that ptxas takes are read', () => {
  for (const [what, text] of TAKEN) assert.doesNotThrow(() => parsePtx(text), what);
});

test('texts that ptxas refuses are refused', () => {
  for (const [what, text] of REFUSED) assert.throws(() => parsePtx(text), { name: /Error/ }, what);
});

const HEAD = '.version 9.0\n.target sm_90a\n.address_size 64\n';

test('a directive that there is not has the nearest one in its message', () => {
  const messages = [
    ['.entri k() { ret; }', /\.entri is no directive of a module: did you mean '\.entry'\?/],
    ['.entry k() .maxntd 3 { ret; }', /\.maxntd is no directive of a kernel.*'\.maxntid'/],
    ['.entry k() { .regs .b32 r; ret; }', /\.regs is no directive of a function body.*'\.reg'/],
    ['.reg .b32 r;', /\.reg outside of functions is not for targets with an ABI/],
  ] as const;
  for (const [text, why] of messages) assert.throws(() => parsePtx(HEAD + text), why);
});

test('an index counts elements of the type of the variable', () => {
  const text = `${HEAD}.const .b64 c[8]; .entry k() { .reg .b64 d; ld.const.b64 d, c[3]; ret; }`;
  const [, operand] = parsePtx(text).functions.get('k')!.instructions[0]!.operands;
  assert.ok(operand?.kind === 'address' && operand.base.kind === 'symbol');
  assert.equal(operand.base.offset, 24);
});

test('an instruction may stand behind .loc, and belongs to it', () => {
  const text = `${HEAD}.file 1 "a.cu"\n.entry k() { .loc 1 7 3 bar.sync 0; ret; }`;
  const [barrier] = parsePtx(text).functions.get('k')!.instructions;
  assert.equal(barrier?.opcode, 'bar.sync');
  assert.equal(barrier.location?.line, 7);
});

test('missing initial values of a row are 0', () => {
  const text = `${HEAD}.global .b32 g[2][2] = {{1},{3,4}};`;
  const [variable] = parsePtx(text).variables;
  const values = variable!.initial.map((value) => ('symbol' in value ? null : value.low));
  assert.deepEqual(values, [1, 0, 3, 4]);
});

test('a double is rounded for an instruction of .f32', () => {
  const text = `${HEAD}.entry k() { .reg .f32 f; mov.f32 f, 1.0; ret; }`;
  const [, operand] = parsePtx(text).functions.get('k')!.instructions[0]!.operands;
  assert.ok(operand?.kind === 'immediate');
  assert.deepEqual([operand.value.low, operand.value.high], [0x3f80_0000, 0]);
});

test('names of properties are names as others', () => {
  for (const name of ['toString', 'constructor', 'valueOf', '__proto__'])
    for (const text of [`${name} .b32 g;`, `.entry k() ${name} 3 { ret; }`, `.global ${name} g;`])
      assert.throws(() => parsePtx(HEAD + text), { name: 'InputError' }, text);
});
