// The table of forms: each part of an opcode and each operand has one place, or is refused.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { check } from '../accepting.ts';
import { formNames, formsNamed } from '#src/isa/table';
import { ptxKernel } from '#src/kernel/kernel';
import type { PtxModule } from '#src/text/module';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/ptx');
const REGISTERS =
  '.reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<4>; .reg .pred %p<4>;' +
  '.shared .align 16 .b8 sm[256];';

const parsed = (line: string): PtxModule =>
  parsePtx(kernelText(REGISTERS, `${line}\nret;`), 'kernel.ptx');
const opcodeOf = (line: string): string =>
  parsed(line).functions.get('kernel')!.instructions[0]!.opcode;

test('every row of the table can be read', () => {
  const forms = formNames().flatMap(formsNamed);
  assert.ok(forms.length > 380, `${forms.length} forms`);
  for (const { name, version, target } of forms) {
    assert.match(version, /^\d\.\d$/, name);
    assert.match(target, /^sm_\d+/, name);
  }
});

const REFUSED: readonly (readonly [line: string, why: RegExp])[] = [
  ['mbarrier.init.bogus.shared.b64 [%d1], 1;', /\.bogus is no modifier of mbarrier\.init/],
  ['ld.relaxd.gpu.global.u32 %r1, [%d1];', /\.relaxd is no modifier of ld: did you mean '\.rel/],
  ['ld.global.global.u32 %r1, [%d1];', /\.global is no modifier of ld/],
  ['ld.relaxed.acquire.gpu.u32 %r1, [%d1];', /is no modifier of ld/],
  ['ld.global %r1, [%d1];', /a modifier of ld is missing/],
  ['bar.sinc 0;', /no instruction is named 'bar'|\.sinc is no modifier/],
  ['fense.sc.gpu;', /no instruction is named 'fense': did you mean 'fence'\?/],
  ['bar.sync 0, 32, 1;', /bar\.sync has too many operands/],
  ['mbarrier.init.shared.b64 [%d1];', /mbarrier\.init has too few operands/],
  ['mbarrier.init.shared.b64 [%d1], %d2;', /operand 2 of mbarrier\.init does not fit/],
  ['add.s32 %f1, %r1, 1;', /operand 1 of add does not fit/],
  ['ld.global.u64 %r1, [%d1];', /operand 1 of ld does not fit/],
  ['ld.global.u32 %r1, [%r2];', /operand 2 of ld does not fit/],
  ['ld.global.u32 %r1, [sm];', /'sm' is in \.shared, and the instruction takes one in \.global/],
  ['st.param.u32 [sm], %r1;', /'sm' is in \.shared, and the instruction takes one in \.param/],
  [
    'cp.async.bulk.global.shared::cta.bulk_group [sm], [sm], 16;',
    /'sm' is in \.shared, and the instruction takes one in \.global/,
  ],
  ['fence.acq_rel.gpu 1;', /fence has too many operands/],
  ['st.global.u32 [%d1], %r1, %d2;', /st has too many operands/],
  ['cp.async.bulk.wait_group 0, 1;', /has too many operands/],
  ['ld.global.v4.u32 {%r1, %r2}, [%d1];', /operand 1 of ld does not fit/],
  ['ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1}, [%r2];', /operand 1 of ldmatrix does not fit/],
];

for (const [line, why] of REFUSED)
  test(`refused: ${line}`, () => {
    assert.throws(() => parsed(line), why);
  });

test('a constant stands for a float operand of a fixed width', () => {
  const policy = 'createpolicy.fractional.L2::evict_last.b64';
  for (const constant of ['1.0', '0f3F800000', '%f1'])
    assert.equal(opcodeOf(`${policy} %d1, ${constant};`), policy);
  for (const wrong of ['1', '%d2']) assert.throws(() => parsed(`${policy} %d1, ${wrong};`));
});

test('property: modifiers stand in any order behind the name', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['ld', ['acquire', 'gpu', 'global', 'u32'], ' %r1, [%d1];'],
    ['atom', ['acq_rel', 'cta', 'shared', 'add', 'u32'], ' %r1, [%r2], 1;'],
    ['cp.async.bulk', ['global', 'shared::cta', 'bulk_group'], ' [%d1], [%r1], 256;'],
    ['mbarrier.arrive', ['release', 'cta', 'shared::cta', 'b64'], ' %d1, [%r1];'],
  ];
  for (const [name, modifiers, operands] of cases) {
    const expected = [name, ...modifiers].join('.');
    // Spaces of a copy keep their order: they say from where to where.
    const isFixed = (word: string): boolean => name === 'cp.async.bulk' && word !== 'bulk_group';
    fc.assert(
      fc.property(fc.shuffledSubarray([...modifiers], { minLength: modifiers.length }), (words) => {
        const fixed = modifiers.filter(isFixed);
        const ordered = words.map((word) => (isFixed(word) ? fixed.shift()! : word));
        assert.equal(opcodeOf(`${[name, ...ordered].join('.')}${operands}`), expected);
      }),
    );
  }
});

test('property: no text of the examples takes a made-up word or a word twice', () => {
  const texts = globSync('*.ptx', { cwd: EXAMPLES }).map((name) =>
    readFileSync(join(EXAMPLES, name), 'utf8'),
  );
  const places = texts.flatMap((text) =>
    [...text.matchAll(/^\s+(?:@!?%\w+\s+)?([a-z][\w:.]*\.[\w:.]+)\s/gm)].map((match) => ({
      text,
      opcode: match[1]!,
      at: match.index + match[0].indexOf(match[1]!),
    })),
  );
  assert.ok(places.length > 300, `${places.length} instructions`);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.boolean(), ({ text, opcode, at }, isTwice) => {
      const end = at + opcode.length;
      const word = isTwice ? opcode.slice(opcode.lastIndexOf('.')) : '.bogus';
      // A second type may be that of a second operand; a made-up word never is one.
      const mutant = `${text.slice(0, end)}${word}${text.slice(end)}`;
      try {
        parsePtx(mutant, 'mutant.ptx');
      } catch (error) {
        return error instanceof Error;
      }
      return isTwice && /^\.[busf]\d/.test(word);
    }),
    { numRuns: 200 },
  );
});

test('what is known and not modeled is undecided where it is executed', async () => {
  const fabric = 'fabric.submit;';
  const launch = { grid: [1, 1, 1], block: [32, 1, 1], params: [] };
  const kernel = (body: string) =>
    ptxKernel({
      ptx: { file: 'kernel.ptx', text: kernelText(REGISTERS, `${body}\nret;`) },
      launch: { file: 'launch.json', text: JSON.stringify(launch) },
    });
  const executed = await check(kernel(fabric));
  assert.equal(executed.verdict, 'inconclusive');
  assert.match(executed.reason ?? '', /fabric\.submit is known and not modeled/);
  const skipped = await check(kernel(`bra END;\n${fabric}\nEND:`));
  assert.equal(skipped.verdict, 'certified');
});
