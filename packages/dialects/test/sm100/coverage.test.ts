// tier: deep
// The documented structs and methods, their exports here, and the tests that pin what they do.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as face from '@poundlock/dialects/sm100';
import { expectPage } from '../../../poundlock/test/generated-page.ts';
import { SOURCES_OF_SM100, type Row } from './documented.ts';

const FOLDER = import.meta.dirname;
/** What the compiler or a whole kernel says is no test of one method. */
const OTHERS = new Set(['coverage.test.ts', 'kernels.test.ts', 'mutants.test.ts']);
const TESTS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.test.ts') && !OTHERS.has(name))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const SOURCE = join(FOLDER, '..', '..', 'src', 'sm100');
const SOURCE_TEXT = readdirSync(SOURCE)
  .map((name) => readFileSync(join(SOURCE, name), 'utf8'))
  .join('\n');

/** Whether a class or object has a member, or its source declares the field that instances have. */
function isExported([, owner, name]: Row): boolean {
  const exports = face as unknown as Record<string, { prototype?: object } | undefined>;
  if (owner === '') return name in exports;
  const target = exports[owner];
  if (target === undefined) return false;
  const isMember = name in target || (target.prototype !== undefined && name in target.prototype);
  return isMember || new RegExp(`readonly ${name}\\b`).test(SOURCE_TEXT);
}

function usersOf([, owner, name]: Row): string[] {
  const pattern = owner === '' ? `\\b${name}\\b` : `(\\.${name}\\b|[{,] ${name}\\b)`;
  return TESTS.filter(({ text }) => new RegExp(pattern).test(text)).map(({ name: file }) => file);
}

/** Our own: what kernels lay out in shared memory, and what their makers hand out. */
const DECLARE = [
  'AccumBarriers',
  'SchedulerRings',
  'SmemPipelineBundle',
  'TmemStorage',
  'TmemSync',
];
const MAKE = [
  'EpilogueWarpScope',
  'GroupedClcSchedulerIterator',
  'GroupedWorkInfo',
  'GroupedWorkIterator',
  'MmaWarpScope',
  'SchedulerWorkIteratorSplitK',
  'TMEM_COLUMNS',
  'WARP_SIZE',
  'WarpContextTypes',
  'WarpRoles',
  'WorkContext',
  'WorkInfoSplitK',
  'WorkIteratorSplitK',
  'clusterOf',
  'leaderOf',
  'tileArray',
];

const HEAD = `# Coverage of the structured kernels

The names in four public documents on Modular's structured SM100 kernels, and further calls of the kernels; the corresponding names in
\`poundlock/sm100\`; and the tests in \`test/sm100\` that use each and compare its effect operation by operation. The fourth document,
the module \`pipeline\`, has a page of its own: [pipeline-coverage.md](pipeline-coverage.md). Produced by a test
(\`UPDATE_DOCS=1 npm test -- sm100\`), which fails when a row is empty.

Scopes (\`with … as …\`) are \`using … = yield* …\`; the handle is bound. \`X()\` that blocks is \`yield* X()\`; \`value^.release()\` is
\`value.release()\`. Coordinates and data are omitted.
`;

test('docs/reference/sm100-coverage.md has every documented name, with no row empty', () => {
  const sections = SOURCES_OF_SM100.map(({ title, rows }) => {
    const lines = rows.map((row) => {
      const [documented, owner, name] = row;
      assert.ok(isExported(row), `${owner}.${name} is not exported`);
      const users = usersOf(row);
      assert.ok(users.length > 0, `no test uses ${owner}.${name}`);
      const shown = owner === '' ? name : `${owner}.${name}`;
      const tests = users.map((user) => `\`${user}\``).join(' ');
      return `| ${documented} | \`${shown}\` | ${tests} |\n`;
    });
    return `\n## ${title}\n\n| documented | export | tests |\n|---|---|---|\n${lines.join('')}`;
  });
  expectPage('docs/reference/sm100-coverage.md', HEAD + sections.join(''));
});

test('every class that the room exports is documented there, or is our own', () => {
  const own = new Set([...DECLARE, ...MAKE]);
  const documented = new Set(
    SOURCES_OF_SM100.flatMap(({ rows }) => {
      return rows.flatMap(([text, owner, name]) => [owner, name, ...text.match(/\w+/g)!]);
    }),
  );
  for (const name of Object.keys(face)) {
    assert.ok(documented.has(name) || own.has(name), `${name} is in no row`);
  }
});
