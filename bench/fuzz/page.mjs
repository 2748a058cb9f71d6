// Writes bench/results/fuzz.md: the sum of all records of random programs made with the same
// engines.
import { writeFileSync } from 'node:fs';
import { KIND_TITLES } from './titles.mjs';

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
* A crash of the sentence of \`tx-mismatch\` for a copy that names no buffer, and a wrong buffer in it where the program has
  one. Fixed in \`system/explain\`, with a test in \`test/system/explain-fault.test.ts\`.
* A bound that was thrown and not reported, one program in some 100,000: the sample run before a search met more than 4,096
  open flights while \`auto\` still held the certificate. It was fixed after the count above, whose engines differ in
  nothing else; the test is in \`test/check/bounds.test.ts\`.
* A crash of the sentence of a deadlock in which arrivals are short, one program in some 150,000. Fixed in
  \`system/explain\`, with a test in \`test/system/explain-deadlock.test.ts\`.
* \`nondeterministic-role\` for a role that is deterministic, one program in some 440,000: two roles with different numbers of
  lanes shared the signal of a ring, and the second got the arrivals of the first. Fixed in \`pipeline\`, with a test in
  \`test/check/shared-variables.test.ts\`.
* A crash of the table of who waits, one program in some 440,000: a step that could not be unfolded because of a wrong
  number was an error the first time that it was followed, and then the end of its role. Fixed in \`program\`, with a test
  in \`test/program/unfolding.test.ts\`.

Found by review, not by random programs, while adding symmetry to the reduced search: a certificate for a race, where one
role joins one of two equal roles and races with it only when the other one is ahead. A role that is joined by its number is
not symmetric now, with a test in \`test/check/certify/choices.test.ts\`; since then a fifth of the programs has symmetric
roles, some with a role that joins them.
`;

const grouped = (number) => number.toLocaleString('en');

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

const UNDECIDED = new Set(['skipped', 'inconclusive']);

/** A line of a kind: how many were decided, how, and how many ran into a bound. */
function rowOf([name, title], answers) {
  const counts = Object.entries(answers[name] ?? {}).toSorted((a, b) => b[1] - a[1]);
  const sumOf = (some) => some.reduce((sum, [, many]) => sum + many, 0);
  const decided = counts.filter(([verdict]) => !UNDECIDED.has(verdict));
  const rest = counts.filter(([verdict]) => UNDECIDED.has(verdict));
  const list = decided.map(([verdict, many]) => `${grouped(many)} ${verdict}`).join(', ');
  return `| ${title} | ${grouped(sumOf(decided))} | ${list} | ${grouped(sumOf(rest))} |`;
}

/** Writes the page from the records of a folder, and the sum of those of these engines. */
export function writePage(
  page,
  records,
  { engines, programs, cpuSeconds, answers, disagreements },
) {
  const lines = [
    '# Random programs against an independent search',
    '',
    'Produced by `node bench/fuzz.mjs --jobs 16 --seconds 540`, which continues its records, and starts a new count when an',
    'engine changes. Every program is drawn as by `npm run fuzz`, checked, and compared with a truth that shares no code with',
    'the engines: a search of every interleaving, or a list of every run. A verdict, a shortest length, and each size that a',
    'verdict names must agree, and every counterexample must replay. Programs that ran into a bound, of the search or of the',
    'check, are listed and not counted. Small programs can be drawn more than once.',
    '',
    `Engines \`${engines}\` (a hash of their sources): **${grouped(programs)} programs** in`,
    `${grouped(cpuSeconds)} seconds of CPU time. **${grouped(disagreements.length)} disagreements.**`,
    '',
    '| kind | programs | answers | not decided |',
    '|---|---:|---|---:|',
    ...Object.entries(KIND_TITLES).map((kind) => rowOf(kind, answers)),
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
