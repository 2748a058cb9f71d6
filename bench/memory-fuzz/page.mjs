// Writes bench/results/memory-fuzz.md: the sum of all records of random programs about memory.
import { writeFileSync } from 'node:fs';

/** The answers of a profile, in the order of the table. */
const AGREEMENTS = {
  good: 'certified, and all executions are good',
  bad: 'rejected, and an execution is bad',
  strict: 'rejected, and no execution is bad: the rules ask for more',
  undecided: 'met a bound',
  unsound: 'certified, and an execution is bad',
  alarm: 'rejected, and the rules do not ask for more',
  thrown: 'an error was thrown',
};
const PROFILES = ['practice', 'isa'];

const grouped = (number) => number.toLocaleString('en');

/** Writes the page from the sum of the records of these engines. */
export function writePage(page, { engines, programs, cpuSeconds, answers, disagreements }) {
  const of = (profile, table, name) => answers[profile]?.[table]?.[name] ?? 0;
  const row = (title, table, name) =>
    `| ${title} | ${PROFILES.map((profile) => grouped(of(profile, table, name))).join(' | ')} |`;
  const rules = new Set(PROFILES.flatMap((one) => Object.keys(answers[one]?.rules ?? {})));
  const lines = [
    '# Random programs about memory against all their executions',
    '',
    'Produced by `node bench/memory-fuzz.mjs --jobs 2 --seconds 3600`, which continues its records, and starts a new count',
    'when an engine changes. Every program is drawn as by `npm run fuzz`, checked in the profiles `practice` and `isa`,',
    'and executed in every interleaving by the view machine of `tools/fuzz/src/memory/view-machine`, which shares no code with the',
    'engines. A certified program must have no bad execution. A rejected one must have one, unless the rules ask for more on',
    'purpose: a write after a read needs its own acquire (and in `isa` its own tcgen05 fence), the issue of asynchronous work',
    'is no release, and a wait for the groups of another thread is an error by itself.',
    '',
    `Engines \`${engines}\` (a hash of their sources): **${grouped(programs)} programs** in both profiles, in`,
    `${grouped(cpuSeconds)} seconds of CPU time. **${grouped(disagreements.length)} disagreements.**`,
    '',
    '| answer | practice | isa |',
    '|---|---:|---:|',
    ...Object.entries(AGREEMENTS).map(([name, title]) => row(title, 'agreements', name)),
    '',
    '| rule of a rejected program | practice | isa |',
    '|---|---:|---:|',
    ...[...rules].toSorted().map((name) => row(`\`${name}\``, 'rules', name)),
    '',
    ...disagreements.flatMap((complaint) => ['```', ...complaint.split('\n'), '```', '']),
  ];
  writeFileSync(page, `${lines.join('\n').trimEnd()}\n`);
}
