// The PTX reader: what compilers print is read exactly, and everything else is one clear error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { InputError } from '@poundlock/core/internal/base';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const RING = new URL('../../../../examples/ptx/ring.sm90a.ptx', import.meta.url);

function errorOf(text: string): InputError {
  try {
    parsePtx(text, 'bad.ptx');
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error;
  }
  return assert.fail('the text was read');
}

test('parameters have the offsets of their alignment', () => {
  const module = parsePtx(
    kernelText(
      '',
      '',
      '.param .u32 a, .param .align 64 .b8 map[128], .param .u64 .ptr .global .align 16 p',
    ),
  );
  const { parameters } = module.functions.get('kernel')!;
  assert.deepEqual(
    parameters.map(({ name, offset, size }) => [name, offset, size]),
    [
      ['a', 0, 4],
      ['map', 64, 128],
      ['p', 192, 8],
    ],
  );
});

test('directives may follow one another without spaces, as in cuda_fp16.hpp', () => {
  const text = kernelText(
    '.reg.b32 %r<2>;',
    '{.reg.b16 hl, hu;\n.reg.b32 h,C; mov.b32 {hl, hu}, %r0; mov.b32 h, %r0; mov.b32 C, 0x3fb8aa3bU;}',
  );
  const { instructions, registers } = parsePtx(text).functions.get('kernel')!;
  assert.equal(registers.length, 6);
  assert.equal(instructions[0]!.operands[0]!.kind, 'vector');
  assert.deepEqual(instructions[1]!.operands[0], { kind: 'register', register: 4 });
});

test('an opcode may be in several words, as inline assembly has it', () => {
  const text = kernelText(
    '.reg .b32 %r<2>;',
    'lop3 .b32 %r0, %r1, -256, 7, 106; xor\n.b32 %r0, %r1, 1;',
  );
  const { instructions } = parsePtx(text).functions.get('kernel')!;
  assert.deepEqual(
    instructions.map(({ opcode, operands }) => [opcode, operands.length]),
    [
      ['lop3.b32', 5],
      ['xor.b32', 3],
    ],
  );
});

test('registers and labels of inner blocks are their own', () => {
  const text = kernelText(
    '.reg .b32 %r<2>;',
    `{ .reg .b32 %r0; LAB: mov.u32 %r0, 1; bra LAB; }
     LAB: mov.u32 %r0, 2; bra LAB;`,
  );
  const { instructions, registers } = parsePtx(text).functions.get('kernel')!;
  assert.equal(registers.length, 3);
  assert.deepEqual(
    instructions.filter(({ opcode }) => opcode === 'bra').map(({ targets }) => targets),
    [[0], [2]],
  );
});

test('numbers keep all of their bits', () => {
  const body =
    'mov.b64 %rd0, 0xFFFFFFFFFFFFFFFE; mov.b64 %rd0, -2; mov.f32 %f0, 0f3F800000; mov.f64 %fd0, 0d3FF0000000000000; mov.u32 %r0, 017;';
  const text = kernelText(
    '.reg .b64 %rd<1>; .reg .b32 %r<1>; .reg .f32 %f<1>; .reg .f64 %fd<1>;',
    body,
  );
  const values = parsePtx(text)
    .functions.get('kernel')!
    .instructions.flatMap(({ operands }) =>
      operands.flatMap((operand) => (operand.kind === 'immediate' ? [operand.value] : [])),
    );
  assert.deepEqual(
    values.map(({ low, high }) => [low, high]),
    [
      [0xffff_fffe, 0xffff_ffff],
      [0xffff_fffe, 0xffff_ffff],
      [0x3f80_0000, 0],
      [0, 0x3ff0_0000],
      [15, 0],
    ],
  );
});

test('a place is reached through the calls that were inlined', () => {
  const text = `.version 8.0\n.target sm_90a\n.address_size 64\n.file 1 "kernel.cu"\n.file 2 "library.h"
.visible .entry kernel()\n{\n.reg .b32 %r<1>;\n.loc 1 8 3\n.loc 2 20 5, function_name $L__info_string0, inlined_at 1 8 3\nmov.u32 %r0, 1;\n}`;
  const module = parsePtx(text);
  const location = module.functions.get('kernel')!.instructions[0]!.location;
  assert.deepEqual(location, {
    file: 2,
    line: 20,
    column: 5,
    inlinedAt: { file: 1, line: 8, column: 3, inlinedAt: null },
  });
  assert.equal(module.files.get(1), 'kernel.cu');
});

test('an error names the file, the line and the column', () => {
  const { message, position } = errorOf(kernelText('.reg .b32 %r<2>;', '\n  mov.u32 %r0 1 2 }'));
  assert.match(message, /near/);
  assert.equal(position?.file, 'bad.ptx');
  assert.ok(position.line > 1 && position.column > 1);
});

const MISTAKES: Readonly<Record<string, string>> = {
  'an empty text': '',
  'a text that is not PTX': 'export default 1',
  'a body without an end': '.version 8.0\n.entry kernel() { .reg .b32 %r<2>; mov.u32 %r0, 1;',
  'a label that does not exist': kernelText('', 'bra NOWHERE;'),
  'a predicate that is not declared': kernelText('', '@%p1 bra L; L: ret;'),
  'a register without a type': kernelText('.reg %r<2>;', 'ret;'),
  'too many registers': kernelText('.reg .b32 %r<99999999>;', 'ret;'),
  'a variable of another file in a function': kernelText('.extern .shared .b8 all[];', 'ret;'),
  'a table of branch targets that is missing': kernelText('.reg .b32 %r<2>;', 'brx.idx %r0, T;'),
};

for (const [name, text] of Object.entries(MISTAKES)) {
  test(`${name} is an error with a place`, () => {
    assert.ok(errorOf(text).position!.line >= 1);
  });
}

test('a damaged text is read or refused, and never anything else', () => {
  const whole = readFileSync(RING, 'utf8');
  const damage = fc.record({
    at: fc.nat(whole.length),
    removed: fc.nat(40),
    inserted: fc.string({ maxLength: 12 }),
    end: fc.nat(whole.length),
    isCut: fc.boolean(),
  });
  fc.assert(
    fc.property(damage, ({ at, removed, inserted, end, isCut }) => {
      const damaged =
        whole.slice(0, at) + inserted + whole.slice(at + removed, isCut ? end : undefined);
      try {
        parsePtx(damaged);
      } catch (error) {
        assert.ok(error instanceof InputError, String(error));
      }
    }),
    { numRuns: 60 },
  );
});
