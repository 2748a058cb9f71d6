// Scores `poundlock lint` on functions of public repositories that were labeled by hand, and
// writes the tables of bench/results/lint-real-code.md.
//
//   node bench/lint-real.mjs [--sources DIRECTORY] [--write] [--list]
//
// `labels.json` says for each function whether it is wrong: a handle is lost on a path that can
// happen. A repository that is not in the directory, as OWNER+NAME, is fetched there at its commit;
// a second commit of it lies beside it, as OWNER+NAME@COMMIT. `--list` names what is missed and
// the false positives.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loneText } from './lint-real/lone.mjs';

const HERE = import.meta.dirname;
const PAGE = join(HERE, 'results', 'lint-real-code.md');
const BINARY = join(HERE, '..', 'packages', 'poundlock', 'bin', 'poundlock.js');
const { values } = parseArgs({
  options: {
    sources: { type: 'string' },
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const sources = values.sources ?? mkdtempSync(join(tmpdir(), 'poundlock-lint-real-'));
const labels = JSON.parse(readFileSync(join(HERE, 'lint-real', 'labels.json'), 'utf8'));

function git(folder, ...words) {
  execFileSync('git', ['-C', folder, ...words], { stdio: 'ignore' });
}

const mainCommit = new Map(labels.toReversed().map((label) => [label.repository, label.commit]));

function checkout({ repository, commit }) {
  const beside = commit === mainCommit.get(repository) ? '' : `@${commit.slice(0, 8)}`;
  const folder = join(sources, repository.replace('/', '+') + beside);
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  git(folder, 'init');
  git(folder, 'fetch', '--depth', '1', `https://github.com/${repository}`, commit);
  git(folder, 'checkout', 'FETCH_HEAD');
  return folder;
}

/** Findings are findings also where a file beside them can not be read: that is exit code 2. */
function lint(folder, files) {
  const words = [BINARY, 'lint', '--no-cache', '--json', ...files];
  const options = { cwd: folder, maxBuffer: 2 ** 28, encoding: 'utf8' };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, options);
  if (stdout) return JSON.parse(stdout).findings;
  throw new Error(`${folder}: poundlock lint ended with ${status}: ${stderr || error?.message}`);
}

/** Whether there is a finding in each function, with its file linted in its own project. */
function inPlace() {
  const reported = new Map();
  for (const group of Map.groupBy(labels, checkout).values()) {
    const folder = checkout(group[0]);
    const findings = lint(folder, [...new Set(group.map(({ path }) => path))]);
    for (const label of group) {
      const isIts = ({ primary: { file, line } }) =>
        file.endsWith(label.path) && line >= label.from && line <= label.to;
      reported.set(label, findings.some(isIts));
    }
  }
  return reported;
}

/** The same with each function in a file of its own: no imports, no types, no other function. */
function alone() {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-lint-lone-'));
  for (const [index, label] of labels.entries()) {
    const text = readFileSync(join(checkout(label), label.path), 'utf8');
    const { code, extension } = loneText(text, label);
    writeFileSync(join(folder, `${index}.${extension}`), code);
  }
  const findings = lint(folder, ['.']);
  rmSync(folder, { recursive: true });
  const files = new Set(findings.map(({ primary }) => Number(/(\d+)\.\w+$/.exec(primary.file)[1])));
  return new Map(labels.map((label, index) => [label, files.has(index)]));
}

const percent = (part, whole) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(0)} %`);

function row(name, reported, chosen) {
  const of = (verdict, isReported) =>
    chosen.filter((label) => label.verdict === verdict && reported.get(label) === isReported)
      .length;
  const [found, missed] = [of('wrong', true), of('wrong', false)];
  const [alarms, quiet] = [of('right', true), of('right', false)];
  const rates = [
    percent(found, found + alarms),
    percent(found, found + missed),
    percent(alarms, alarms + quiet),
  ];
  return `| ${[name, chosen.length, found, missed, alarms, quiet, ...rates].join(' | ')} |`;
}

function table(reported) {
  const head = 'functions | found | missed | false alarms | quiet | precision | recall | alarms';
  const lines = [`| set | ${head} |`, '|---|---|---|---|---|---|---|---|---|'];
  for (const [set, chosen] of Map.groupBy(labels, (label) => label.set)) {
    lines.push(row(set, reported, chosen));
  }
  return [...lines, row('all', reported, labels)].join('\n');
}

/** The functions with a false positive or a missed finding. */
function faults(reported) {
  const isWrong = (label) => ['wrong', 'right'].includes(label.verdict);
  const failed = labels.filter((label) => {
    return isWrong(label) && reported.get(label) !== (label.verdict === 'wrong');
  });
  return failed
    .map((label) => {
      const what = label.verdict === 'wrong' ? 'missed' : 'false alarm';
      const { set, repository, path, from, to } = label;
      return `${what}: ${set} ${repository} ${path}:${from}-${to}\n`;
    })
    .join('');
}

const there = inPlace();
const lone = alone();
const figures = `In place:\n\n${table(there)}\n\nAlone:\n\n${table(lone)}`;
process.stdout.write(`${figures}\n`);
if (values.list) process.stdout.write(`\nIn place:\n\n${faults(there)}\nAlone:\n\n${faults(lone)}`);
if (values.write) {
  const page = readFileSync(PAGE, 'utf8');
  const filled = page.replace(
    /(<!-- figures -->\n)[^]*(\n<!-- end of figures -->)/,
    (_, before, after) => `${before}\n${figures}\n${after}`,
  );
  writeFileSync(PAGE, filled);
}
if (values.sources === undefined) rmSync(sources, { recursive: true });
