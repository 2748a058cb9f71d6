// The page of the glossary is that of the tables, and each entry has a form that can be printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALL_RULES,
  ASSUMPTION_NAMES,
  assumptionRow,
  titleOf,
} from '@poundlock/core/internal/finding';
import { findTerm, GLOSSARY, TERM_NAMES, termOf, termsIn } from '#src/report/index';
import { LOOKS } from '#src/report/timeline/looks';
import { expectPage } from '../generated-page.ts';

const BEGIN = `# Glossary

Every word that a verdict or a prediction prints. \`poundlock explain WORDS\` prints an entry, and takes a part of a message as it stands:
\`poundlock explain by certificate, 10 choice points\`.

Produced by a test (\`UPDATE_DOCS=1 npm test -- packages/poundlock/test/report\`).
`;

const HEAD = '| word | meaning |\n|---|---|\n';

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, text]) => `| ${name} | ${text.replaceAll('|', '\\|')} |\n`);
  return `\n## ${title}\n\n${HEAD}${lines.join('')}`;
}

test('the page of the glossary is that of the tables', () => {
  const terms = Object.entries(GLOSSARY).map(([title, entries]) =>
    section(
      title,
      Object.entries(entries).map(([name, { title: clause, page, also }]) => {
        const forms = also.length === 0 ? '' : ` (also: ${also.join(', ')})`;
        return [`**${name}**${forms}`, `${clause}. ${page}`];
      }),
    ),
  );
  const assumptions = ASSUMPTION_NAMES.map((name) => {
    const { title, page } = assumptionRow(name);
    return [`**${name}**`, `${title}. ${page}`] as const;
  });
  const rules = ALL_RULES.map(
    (rule) => [`[${rule}](../../packages/core/rules/${rule}.md)`, titleOf(rule)] as const,
  );
  const text = [...terms, section('Assumptions', assumptions), section('Rules', rules)];
  expectPage('docs/reference/glossary.md', BEGIN + text.join(''));
});

test('a word has one entry, in each of its forms', () => {
  for (const name of TERM_NAMES) {
    assert.ok(findTerm(`${name}s`) !== undefined, name);
    for (const form of [name, ...termOf(name).also, name.toUpperCase()])
      assert.equal(findTerm(form), name, form);
  }
});

test('why a role waits is explained', () => {
  const waits = Object.values(LOOKS).filter(({ text }) => text.startsWith('waits'));
  assert.deepEqual(
    waits.map(({ text }) => findTerm(text)),
    waits.map(({ text }) => text),
  );
  assert.equal(waits.length, 3);
});

test('titles are clauses', () => {
  for (const name of TERM_NAMES) {
    const { title, page } = termOf(name);
    assert.match(title, /^[a-z\p{L}].*[^.]$/u, name);
    assert.match(page, /^[A-Z_`.].*\.$/, name);
  }
});

test('words are found in a text, whole ones alone', () => {
  assert.deepEqual(termsIn('by certificate, 10 choice points, 0.71 s'), [
    'by certificate',
    'choice point',
  ]);
  assert.ok(termsIn('for ab.empty[0] phase -1, fresh').includes('phase -1'));
  assert.deepEqual(termsIn('relapsed'), []);
});
