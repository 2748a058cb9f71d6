// tier: release
// The pages of the site as data: addresses, links, titles, and what is added to programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, hrefOf, markdownFiles } from '../stage/addresses.ts';
import { headedOf } from '../stage/header.ts';
import { siteLink, withSiteLinks } from '../stage/links.ts';
import { withTerminals } from '../stage/console.ts';
import { fileOf, pageOf } from '../stage/page.ts';
import { plotHtml } from '../stage/plot.ts';
import { performancePage } from '../stage/performance.ts';
import { withPlayground } from '../stage/programs.ts';
import { BASE, relocated, relocatedScript } from '../stage/relocate.ts';
import { textOf } from '../stage/repository.ts';
import { rulePages } from '../stage/rules.ts';
import { sectionsOf } from '../stage/sidebar.ts';
import { numberOf } from '../stage/tables.ts';
import { pagesUnder } from '../../../test/docs/pages.ts';

test('every page of docs/ and bench/results/ is a page of the site, with a title', () => {
  const files = markdownFiles();
  for (const file of [...pagesUnder('docs'), ...pagesUnder('bench/results')]) {
    assert.ok(files.includes(file), file);
  }
  const addresses = files.map((file) => addressOf(file) ?? assert.fail(file));
  assert.equal(new Set(addresses).size, addresses.length);
  for (const file of files) assert.notEqual(pageOf(file, '', textOf(file)).title, '');
});

test('links between files lead to pages, others to the repository', () => {
  const from = 'docs/how-to/ptx.md';
  assert.equal(siteLink(from, '../reference/cli.md#check'), '/reference/cli/#check');
  assert.equal(siteLink(from, '../../README.md'), '/');
  assert.equal(siteLink(from, '../pictures/schedule.svg'), '/pictures/schedule.svg');
  assert.equal(
    siteLink(from, '../../examples/bugs/001-empty-tile-arrives.ts').slice(0, 13),
    '/gallery/001-',
  );
  assert.match(siteLink(from, '../../packages/poundlock/src'), /^https:.*\/tree\/main\/packages/);
  assert.equal(siteLink(from, 'https://example.org/a.md'), 'https://example.org/a.md');
  assert.throws(() => siteLink(from, 'missing.md'), /leads to no file/);
});

test('code is not rewritten', () => {
  const text = '[`check`](ptx.md) and `[x](y.md)`\n```md\n[z](z.md)\n```';
  const expected = '[`check`](/how-to/ptx/) and `[x](y.md)`\n```md\n[z](z.md)\n```';
  assert.equal(withSiteLinks('docs/how-to/record.md', text), expected);
});

test('a page has its title and the address of its file as front matter', () => {
  const page = pageOf('docs/a.md', 'a', '# A `b`\n\nFirst sentence. More.\n');
  const text = fileOf(page);
  assert.match(text, /^---\ntitle: "A b"\ndescription: "First sentence\."\neditUrl: "https:/);
  assert.doesNotMatch(text, /^# /m);
});

test('output in pages has the colors of the terminal, and the same text', () => {
  const output = [
    '$ poundlock check a.ts',
    'error[race]: two of them',
    '   ╭─ a.ts',
    ' 8 │   using slot = yield* ab.produce();',
    '   │                       ^ passed here',
    '   ╰─',
    '   note: in one state',
    'counterexample  a: race',
    'something else',
  ];
  const shown = withTerminals(`\`\`\`console\n${output.join('\n')}\n\`\`\`\n`);
  assert.match(shown, /^```ansi frame="terminal"\n/);
  const escape = String.fromCharCode(27);
  const plain = shown.replaceAll(new RegExp(`${escape}\\[\\d+m`, 'g'), '');
  assert.equal(plain, `\`\`\`ansi frame="terminal"\n${output.join('\n')}\n\`\`\`\n`);
  assert.ok(shown.includes(`${escape}[31m${escape}[1merror[race]`));
  assert.ok(shown.includes(`${escape}[36m ${' '.repeat(2)}│${' '.repeat(23)}^ passed here`));
  assert.ok(shown.includes('\nsomething else\n'));
});

test('whole kernels show their verdicts, other blocks are as they are', () => {
  const program = "import { kernel } from 'poundlock';\nexport default kernel('a', {}, () => []);";
  const shown = withPlayground(`<!-- check: race; file: a.ts -->\n\`\`\`ts\n${program}\n\`\`\`\n`);
  assert.match(shown, /```ts title="a\.ts"\n/);
  assert.match(shown, /<a class="verdict rejected" href="\/rules\/race\/">race<\/a>/);
  assert.match(
    withPlayground(`<!-- check: certified -->\n\`\`\`ts\n${program}\n\`\`\``),
    />certified</,
  );
  const part = '```ts\nconst a = 1;\n```';
  assert.equal(withPlayground(part), part);
});

test('every rule has a page with both programs', () => {
  const pages = rulePages().filter(({ address }) => address !== 'rules');
  for (const { address, body } of pages) {
    assert.match(body, /class="side rejected"[\s\S]*class="side certified"/, address);
  }
});

test('the header of a program is prose, its columns are a block', () => {
  const { about, summary, program } = headedOf('// One\n// two.\n//\n//   a   b\n\nexport {};\n');
  assert.equal(summary, 'One two.');
  assert.equal(about, 'One\ntwo.\n\n```text\n  a   b\n```');
  assert.equal(program, 'export {};');
});

test('the sidebar has the sections of the index', () => {
  const names = sectionsOf(textOf('docs/README.md')).map(({ heading }) => heading);
  assert.deepEqual(names, ['Tutorial', 'How-to guides', 'Reference', 'Explanation']);
});

test('numbers of tables have units and bounds', () => {
  const cells = ['1,234', '> 4.5×', '6.33 M', '299.4 k (21.3×)', '3.59 %', '–'];
  assert.deepEqual(cells.map(numberOf), [1234, 4.5, 6_330_000, 299_400, 3.59, undefined]);
});

test('plots show each number of their tables', () => {
  const { body } = performancePage();
  assert.match(body, /<th scope="row">SimPy<\/th>/);
  assert.doesNotMatch(body, /NaN|undefined|Infinity/);
  const bars = [{ value: 10, text: '10', series: 0 }];
  const plot = { caption: 'a', series: ['x'], rows: [{ label: 'l', bars }], logFrom: 1 };
  assert.match(plotHtml(plot), /width:100\.0%/);
});

test('addresses become relative to their page', () => {
  const html = `<a href="${BASE}/a/"></a><a href="/b/#c"></a><a href="//x.org"></a><a href="#d"></a>`;
  const expected =
    '<a href="../a/"></a><a href="../b/#c"></a><a href="//x.org"></a><a href="#d"></a>';
  assert.equal(relocated(html, '../'), expected);
  assert.throws(() => relocated(`<p data-x="${BASE}/a">`, './'), /stays absolute/);
  assert.equal(
    relocatedScript(`a(\`${BASE}/pagefind/\`)`),
    'a((new URL("..",import.meta.url).pathname)+`pagefind/`)',
  );
  assert.equal(hrefOf('a/b#c'), '/a/b/#c');
});
