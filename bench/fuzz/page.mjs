// bench/results/fuzz.md: the sum of all records of random programs that were made with the same
// engines.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const ROWS = [
  ['dull', 'the dull search itself'],
  ['search', '`--engine search`, without reduction'],
  ['reduced', '`--engine reduced`'],
  ['certify', '`--engine certify`: one run, or every order of choices'],
  ['auto', '`--engine auto`, as users check'],
  ['every', '`--every`: a proof for every number, against each of 0 to 6'],
];
const VERDICTS = ['certified', 'every', 'counterexample', 'inconclusive', 'skipped'];

/** What such programs have shown, and what became of it. */
const SETTLED = `## What was found so

* A certificate for a \`tryWait\` of a phase that is still open, though it can pass early: one program in about 4,000. The
  condition on phases looked at the wrong one; mended in \`check/certify\`, with tests in
  \`test/check/certify/standing.test.ts\`.
* \`missing-drain\` after a wait that R08 skips: the searches took it for one that reaches its barrier; mended in \`system\`.
* A deadlock where the dull search saw none, one program in 19,900: between two tries stood a release that neither
  signals nor steps. P07 did not say whether that is "nothing between"; it says now that it is, and so does the dull
  search. The count went on, since the engines did not change.
* A certificate for a barrier that one role invalidates and another initialises again, with nothing between them, one
  program in some 90,000: condition R asked whether everything that had reached the barrier came before its new life, but
  not whether the end of the old one did. Mended in \`check/certify\`, with a test in
  \`test/check/certify/one-run.test.ts\`.
* A deadlock that the reduced search did not find, one program in some 220,000: looking ahead, it counted what a role
  contributes on its way round a circle once, though two rounds end a phase. It counts any number of times now, with a
  test in \`test/check/reduced.test.ts\`. \`--engine auto\` had found the deadlock, which is short.
* A look ahead that took hours: the reduced search followed a claim for each of thousands of stages that somebody may
  claim, again and again; one program in some 10,000, at which a process stood still. It is bounded now, with a test in
  \`test/check/reduced.test.ts\`.
* A bound that was thrown and not told, one program in some 100,000: the walk before a search met more than 4,096 open
  flights while \`auto\` still held the certificate. It was mended after the count above, whose engines differ in nothing
  else; the test is in \`test/check/bounds.test.ts\`.

Not found so, but by thinking about twins for the reduced search: a certificate for a race, where one role joins one of
two that do the same and races with it only when the other one is ahead. Who is joined by its number is no twin now, with
a test in \`test/check/certify/choices.test.ts\`; and since then a fifth of the programs has twins, some with a role that
joins them.
`;

const grouped = (number) => number.toLocaleString('en');

/** Adds numbers of equal names, in nested tables. */
function add(into, from) {
  for (const [name, value] of Object.entries(from)) {
    if (typeof value === 'number') into[name] = (into[name] ?? 0) + value;
    else add((into[name] ??= {}), value);
  }
}

/** What was counted with engines that have changed since: a line for each. */
function earlierLines(records) {
  const sums = new Map();
  for (const { engines, until, programs, disagreements } of records.flatMap(
    (one) => one.earlier ?? [],
  )) {
    const sum = sums.get(engines) ?? { until, programs: 0, disagreements: 0 };
    sum.programs += programs;
    sum.disagreements += disagreements;
    sums.set(engines, sum);
  }
  if (sums.size === 0) return [];
  const lines = [...sums].map(([engines, { until, programs, disagreements }]) => {
    return `* until ${until}, engines \`${engines}\`: ${grouped(programs)} programs, disagreements: ${grouped(disagreements)}`;
  });
  return ['## With engines before these', '', ...lines, ''];
}

/** Writes the page from the records of a folder; of different engines, those of the newest. */
export function writePage(page, folder) {
  const records = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(folder + name, 'utf8')));
  const engines = records.at(-1).engines;
  const same = records.filter((record) => record.engines === engines);
  const sum = { programs: 0, kinds: {}, answers: {} };
  for (const { programs, kinds, answers } of same) add(sum, { programs, kinds, answers });
  const disagreements = same.flatMap((record) => record.disagreements);
  const { answers, kinds } = sum;
  const lines = [
    '# Random programs against the dull search',
    '',
    'Written by `node bench/fuzz.mjs`, which goes on where its record leaves off and begins anew when an',
    'engine has changed. Every program is drawn as in `test/fuzz`, searched by a search that shares no code',
    'with the engines, and then given to each of them. Verdicts, lengths of shortest schedules, rules and',
    'warnings must agree, and every counterexample must replay; a certificate of a wrong program would be the',
    'worst of all. Programs that are too large for the dull search are *skipped*. *Inconclusive* is an honest',
    'answer of the certificate, which is not complete, of the reduced search where a program has no end, and of a',
    'search that has stored 75,000 states.',
    '',
    `Engines \`${engines}\` (a hash of their sources): **${grouped(sum.programs)} programs** of`,
    `${grouped(same.flatMap((record) => record.seeds).length)} seeds; of those that were searched, ${grouped(kinds.loop ?? 0)} with loops and`,
    `${grouped(kinds.choices ?? 0)} with choices. **${grouped(disagreements.length)} disagreements.**`,
    '',
    `| engine | ${VERDICTS.join(' | ')} |`,
    `|---|${VERDICTS.map(() => '---:').join('|')}|`,
    ...ROWS.map(([name, title]) => {
      const cells = VERDICTS.map((verdict) => answers[name]?.[verdict]);
      return `| ${title} | ${cells.map((cell) => (cell === undefined ? '' : grouped(cell))).join(' | ')} |`;
    }),
    '',
    ...disagreements.flatMap(({ fault, program }) => [
      `* ${fault}`,
      '',
      '  ```json',
      `  ${JSON.stringify(program)}`,
      '  ```',
      '',
    ]),
    ...earlierLines(records),
  ];
  writeFileSync(page, `${lines.join('\n').trimEnd()}\n\n${SETTLED}`);
}
