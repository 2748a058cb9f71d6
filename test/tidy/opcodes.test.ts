// No file but those of the table and of the text of PTX decides by the words of an opcode.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { effectWords, opcodeFaults } from './opcodes.ts';
import { readSources, source } from './source.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'packages');

/** Files that still read opcodes; this list only gets shorter. */
const PENDING: readonly string[] = [
  'ptx/src/exec/warp/access-form.ts',
  'ptx/src/exec/warp/accumulators.ts',
  'ptx/src/exec/warp/carry.ts',
  'ptx/src/exec/warp/data-range.ts',
  'ptx/src/exec/warp/earlier.ts',
  'ptx/src/exec/warp/float.ts',
  'ptx/src/exec/warp/form.ts',
  'ptx/src/exec/warp/global-lanes.ts',
  'ptx/src/exec/warp/integer.ts',
  'ptx/src/exec/warp/join-ways.ts',
  'ptx/src/exec/warp/joins.ts',
  'ptx/src/exec/warp/last-thread.ts',
  'ptx/src/exec/warp/moves.ts',
  'ptx/src/exec/warp/peek.ts',
  'ptx/src/exec/warp/quiet-region.ts',
  'ptx/src/exec/warp/region-stores.ts',
  'ptx/src/exec/warp/select.ts',
  'ptx/src/exec/warp/shared-reads.ts',
  'ptx/src/exec/warp/uncertain.ts',
  'ptx/src/exec/warp/unknown-branch.ts',
  'ptx/src/exec/warp/varying.ts',
  'ptx/src/flow/active-members.ts',
  'ptx/src/flow/barrier-loops.ts',
  'ptx/src/flow/destinations.ts',
  'ptx/src/flow/drawn.ts',
  'ptx/src/flow/free-guard.ts',
  'ptx/src/flow/function-addresses.ts',
  'ptx/src/flow/inline.ts',
  'ptx/src/flow/liveness.ts',
  'ptx/src/flow/provenance.ts',
  'ptx/src/flow/successors.ts',
  'ptx/src/flow/way-back.ts',
  'ptx/src/loops/plan.ts',
  'ptx/src/loops/transfers.ts',
  'ptx/src/values/terms.ts',
];

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
  const faults = FAULTS.filter(({ path }) => !PENDING.includes(path));
  assert.deepEqual(
    faults.map(({ fault }) => fault),
    [],
  );
});

test('each file of the list still reads opcodes', () => {
  const paths = new Set(FAULTS.map(({ path }) => path));
  assert.deepEqual(
    PENDING.filter((path) => !paths.has(path)),
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
