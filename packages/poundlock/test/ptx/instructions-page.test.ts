// The page of all instructions, as the table has them.
import { test } from 'node:test';
import type { Form } from '@poundlock/ptx/internal/isa/form';
import {
  allForms,
  STATUS_TEXT,
  syntaxOf,
  TABLE_VERSION,
} from '@poundlock/ptx/internal/isa/describe';
import { expectPage } from '../generated-page.ts';

const PATH = 'docs/reference/instructions.md';

const BEGIN = `# PTX instructions

The forms of instructions that \`check\` reads, through PTX ${TABLE_VERSION}, with what it does with each. \`poundlock isa WORD\`
prints those that a name or a modifier is in. Modifiers stand in any order behind the name: \`(.a|.b)\` is one of several,
\`{.a|.b}\` at most one, and \`?\` marks a modifier that is not modeled. What no form takes is exit code 2, with the line
and the word that may be meant. A run that executes what is not modeled is inconclusive, with the line and the word.

Produced by a test (\`UPDATE_DOCS=1 npm test -- packages/poundlock/test/ptx\`).
`;

function rowOf(form: Form): string {
  const syntax = syntaxOf(form).replaceAll('|', '\\|');
  return `| \`${syntax}\` | ${form.version} | ${form.target} | ${STATUS_TEXT[form.status]} |`;
}

test('the page of instructions is that of the table', () => {
  const sections = new Map<string, Form[]>();
  for (const form of allForms()) {
    const [mnemonic = ''] = form.name.split('.');
    sections.set(mnemonic, [...(sections.get(mnemonic) ?? []), form]);
  }
  const text = [...sections].map(([mnemonic, forms]) => {
    const docs = [...new Set(forms.map(({ doc }) => doc))].join(' ');
    const head = '| form | PTX | target | |\n|---|---|---|---|';
    return `\n## ${mnemonic}\n\n${docs}\n\n${head}\n${forms.map(rowOf).join('\n')}\n`;
  });
  expectPage(PATH, BEGIN + text.join(''));
});
