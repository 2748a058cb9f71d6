// No file but those of the table and of the text of PTX decides by the words of an opcode.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { effectWords, opcodeFaults } from './opcodes.ts';
import { readSources, source } from './source.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'packages');

const FILES = ['ptx/src', 'poundlock/src'].flatMap((folder) =>
  readSources(join(PACKAGES, folder)).map(({ path, text }) => source(`${folder}/${path}`, text)),
);
const effects = FILES.find(({ path }) => path === 'ptx/src/isa/effect.ts')!;
/** The table and the text of PTX; reports have opcodes in messages alone. */
const READERS = /^(?:ptx\/src\/(?:isa|text)|poundlock\/src\/report)\//;
const FAULTS = FILES.filter(({ path }) => !READERS.test(path)).flatMap((file) =>
  opcodeFaults(file, effectWords(effects.text)).map((fault) => ({ path: file.path, fault })),
);

test('no file reads an opcode, but for those of the table and the text', () => {
  assert.ok(FILES.length > 500, `${FILES.length} files`);
  assert.deepEqual(
    FAULTS.map(({ fault }) => fault),
    [],
  );
});

test('tests of the words of an opcode are faults, messages and values of effects are not', () => {
  const known = effectWords("readonly proxy: 'async::generic' | null;");
  const faultsOf = (...lines: readonly string[]): string[] =>
    opcodeFaults(source('a.ts', lines.join('\n')), known);
  const module = "import type { Instruction } from '../text/module.ts';";
  assert.deepEqual(faultsOf(module, "parts[0] === 'ld'"), ['a.ts:2 parts[ reads an opcode']);
  assert.deepEqual(faultsOf(module, "one.parts.includes('sys')").length, 1);
  assert.deepEqual(faultsOf('function has(parts: readonly string[]) {}').length, 1);
  assert.deepEqual(faultsOf("opcode.startsWith('mbarrier')", '/^bar/.test(one.opcode)').length, 2);
  assert.deepEqual(faultsOf("word === 'cta_group::2'", '/shared::cta/.test(text)').length, 2);
  const allowed = [
    'parts[0]',
    "proxy === 'async::generic'",
    "'a wait of mbarrier::complete_tx lacks bytes'",
    '// cta_group::2',
    '`${opcode} ${line}`',
  ];
  assert.deepEqual(faultsOf(...allowed), []);
});
