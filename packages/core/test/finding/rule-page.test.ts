// The parser of rule pages: what it reads, and what it says of a page that lacks a part.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRulePage } from '#src/finding/index';

const TEXT = `# race

Two accesses are
not ordered.

What it
means.

Why it happens.

## Rejected

\`\`\`ts
bad();

# worse();
\`\`\`

## Fixed

\`\`\`ts
good();
\`\`\`

## See also

- [false-pass](false-pass.md)
- [tx-mismatch](tx-mismatch.md)
`;

const LINT = `## Rejected by lint

\`\`\`ts
late();
\`\`\`

## Fixed for lint

\`\`\`ts
early();
\`\`\`

## See also`;

const PAGE = {
  rule: 'race',
  title: 'two accesses are not ordered',
  what: 'What it means.\n\nWhy it happens.',
  rejected: 'bad();\n\n# worse();',
  fixed: 'good();',
  seeAlso: ['false-pass', 'tx-mismatch'],
};

test('a page is a title, an explanation, two programs and links', () => {
  assert.deepEqual(parseRulePage(TEXT), PAGE);
  assert.deepEqual(parseRulePage(TEXT.replaceAll('\n', '\r\n')), PAGE);
});

test('a page can have two programs more for lint', () => {
  const page = parseRulePage(TEXT.replace('## See also', LINT));
  assert.deepEqual(page, { ...PAGE, lint: { rejected: 'late();', fixed: 'early();' } });
});

const without = (part: string | RegExp, by = '') => TEXT.replace(part, by);
const BROKEN: [text: string, message: string][] = [
  ['', 'a rule page starts with "# RULE", not with ""'],
  [without('# race', '# racing'), 'a rule page starts with "# RULE", not with "# racing"'],
  [without(/Two[^]*happens\.\n/), 'has no title'],
  [without(/What[^]*happens\.\n/), 'has no explanation after its title'],
  [without('not ordered.', 'not ordered'), 'has a title that is not a sentence'],
  [without('## Rejected'), 'has no section "## Rejected"'],
  [without(/## Fixed[^]*(?=## See)/), 'has no section "## Fixed"'],
  [without('```ts\ngood', 'good'), 'has a program without an end'],
  [without('```ts\ngood();\n```'), 'has something else than one program in "## Fixed"'],
  [without('```ts\nbad', 'See:\n```ts\nbad'), 'has something else than one program in "## Rej'],
  [without('## Fixed', '## Fix'), 'has an unknown heading "## Fix"'],
  [without('## Fixed', '## Rejected'), 'has "## Rejected" in the wrong place'],
  [without(/- [^]*/), 'has no links in "## See also"'],
  [without('(false-pass.md)', '(race.md)'), 'has "- [false-pass](race.md)" in "## See also"'],
  [without(/false-pass/g, 'false-past'), 'has "- [false-past](false-past.md)" in "## See also"'],
];

test('a page that lacks a part is refused with the name of the part', () => {
  for (const [text, message] of BROKEN) {
    assert.throws(
      () => parseRulePage(text),
      (error: Error) => error.name === 'InvariantError' && error.message.includes(message),
      message,
    );
  }
  const half = TEXT.replace('## See also', LINT.replace(/## Fixed for[^]*(?=## See)/, ''));
  assert.throws(
    () => parseRulePage(half),
    /the page of the rule race has no section "## Fixed for/,
  );
});
