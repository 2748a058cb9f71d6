// Writes bench/results/fuzz.md: the sum of all records of random programs made with the same
// engines.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const ROWS = [
  ['dull', 'the independent search'],
  ['search', '`--engine search`, without reduction'],
  ['reduced', '`--engine reduced`'],
  ['certify', '`--engine certify`: one run, or every order of choices'],
  ['auto', '`--engine auto`, the default'],
  ['every', '`--every`: a proof for every number, against each of 0 to 6'],
];
const VERDICTS = ['certified', 'every', 'counterexample', 'inconclusive', 'skipped'];

/** Bugs that random programs have shown, and their fixes. */
const SETTLED = `## Bugs found this way

* A certificate for a \`tryWait\` of a phase that is still open, though it can pass early: one program in about 4,000. The
  condition on phases tested the wrong phase; fixed in \`check/certify\`, with tests in
  \`test/check/certify/standing.test.ts\`.
* \`missing-drain\` after a wait that R08 skips: the searches treated it as one that reaches its barrier; fixed in \`system\`.
* A deadlock where the independent search saw none, one program in 19,900: between two tries was a release that neither
  signals nor steps. P07 did not define whether that is "nothing between"; now it does, and so does the independent
  search. The count continued, since the engines did not change.
* A certificate for a barrier that one role invalidates and another initializes again, without order between them, one
  program in some 90,000: condition R required that every access to the barrier came before its new lifetime, but not that
  the end of the old one did. Fixed in \`check/certify\`, with a test in \`test/check/certify/one-run.test.ts\`.
* A deadlock that the reduced search missed, one program in some 220,000: its lookahead counted the contributions of a role
  on a cycle once, though two rounds complete a phase. It counts any number of rounds now, with a test in
  \`test/check/reduced.test.ts\`. \`--engine auto\` had found the deadlock, which is short.
* A lookahead that took hours: the reduced search followed a claim for each of thousands of stages, again and again; one
  program in some 10,000, at which a process hung. It is bounded now, with a test in \`test/check/reduced.test.ts\`.
* A bound that was thrown and not reported, one program in some 100,000: the sample run before a search met more than 4,096
  open flights while \`auto\` still held the certificate. It was fixed after the count above, whose engines differ in
  nothing else; the test is in \`test/check/bounds.test.ts\`.

Found by review, not by random programs, while adding symmetry to the reduced search: a certificate for a race, where one
role joins one of two equal roles and races with it only when the other one is ahead. A role that is joined by its number is
not symmetric now, with a test in \`test/check/certify/choices.test.ts\`; since then a fifth of the programs has symmetric
roles, some with a role that joins them.
`;

const grouped = (number) => number.toLocaleString('en');

/** Adds numbers of equal names, in nested tables. */
function add(into, from) {
  for (const [name, value] of Object.entries(from)) {
    if (typeof value === 'number') into[name] = (into[name] ?? 0) + value;
    else add((into[name] ??= {}), value);
  }
}

/** Counts of earlier versions of the engines: one line for each. */
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
  return ['## Earlier engines', '', ...lines, ''];
}

/** Writes the page from the records of a folder; of those of different engines, the newest. */
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
    '# Random programs against an independent search',
    '',
    'Produced by `node bench/fuzz.mjs`, which continues its record, and starts a new count when an engine changes. Every',
    'program is drawn as in `test/fuzz`, searched by a search that shares no code with the engines, and then checked by each',
    'engine. Verdicts, lengths of shortest schedules, rules and warnings must agree, and every counterexample must replay.',
    'Programs that are too large for the independent search are *skipped*. *Inconclusive* is a valid result of the',
    'certificate, which is incomplete, of the reduced search where a program has no end, and of a search that has stored',
    '75,000 states.',
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
