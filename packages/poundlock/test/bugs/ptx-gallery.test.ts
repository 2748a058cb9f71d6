// tier: deep
// Each public bug of examples/ptx/bugs is found in the PTX of its kernel, and its fix is certified.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, type CheckResult } from 'poundlock/check';
import { ptxKernel } from 'poundlock/ptx';
import { BUGS } from '../../../../examples/bugs/about.ts';
import { KERNELS } from '../../../../examples/ptx/bugs/about.ts';
import { ptxFile } from '../../../../examples/ptx/bugs/compile.ts';
import { expectPage } from '../generated-page.ts';
import { ROOT } from '../golden/golden.ts';
import { pageOf, timesOn, type Row } from './ptx-page.ts';
import { threadOf } from './thread.ts';

const FOLDER = join(ROOT, 'examples', 'ptx', 'bugs');
const PAGE = 'examples/ptx/bugs/README.md';
const UPDATE = process.env['UPDATE_DOCS'] === '1';

/** What `check` says of a kernel that awaits something, and of its fix, unless a row says more. */
const UNSEEN = { bug: 'certified', fix: 'certified' };

/** What three of the fixes rest on: data decides where they store. */
const ACCEPTED = ['disjoint-data', 'tensormap-data'] as const;

const rows: Row[] = [];
const times = timesOn(join(ROOT, PAGE));

async function verdictOf(
  name: string,
  fixed: boolean,
  params: Readonly<Record<string, number>> = {},
): Promise<CheckResult> {
  const file = ptxFile(name, fixed);
  const launch = join(FOLDER, name, 'launch.json');
  const kernel = ptxKernel({
    ptx: { file, text: readFileSync(file, 'utf8') },
    launch: { file: launch, text: readFileSync(launch, 'utf8') },
  });
  const { memory } = BUGS[name]!;
  return check(kernel, { params, accept: ACCEPTED, ...(memory === undefined ? {} : { memory }) });
}

for (const [name, { arch, differs, hidden, awaits, today }] of Object.entries(KERNELS)) {
  const { thread, cause, rule: ofProgram } = BUGS[name]!;
  const expected = differs?.rule ?? ofProgram;

  if (awaits !== undefined) {
    test(`${name} is not found as ${expected}, which awaits ${awaits}`, async () => {
      const bug = await verdictOf(name, false);
      const fix = await verdictOf(name, true);
      const found = { bug: bug.findings[0]?.rule ?? bug.verdict, fix: fix.verdict };
      const isRight = found.bug === expected && found.fix === 'certified';
      assert.ok(!isRight, `${name} is found, and its fix certified: delete \`awaits\``);
      assert.deepEqual(found, { ...UNSEEN, ...today });
    });
    continue;
  }

  test(`${name} is found as ${expected}, and certified with its fix`, async () => {
    const url = threadOf(join(FOLDER, name, 'kernel.cu'), thread);
    const start = performance.now();
    const bug = await verdictOf(name, false);
    const fix = await verdictOf(name, true);
    const ms = Math.round(performance.now() - start);
    const rule = bug.findings[0]?.rule ?? bug.verdict;
    assert.equal(rule, expected);
    assert.match(bug.findings[0]!.primary.file, /kernel\.cu$/);
    assert.deepEqual([fix.verdict, fix.findings], ['certified', []]);
    if (hidden !== undefined) {
      const { verdict } = await verdictOf(name, false, hidden);
      assert.equal(verdict, 'certified', `with ${JSON.stringify(hidden)}`);
    }
    rows.push({
      name,
      thread,
      url,
      cause,
      arch,
      rule,
      why: differs?.why ?? '',
      fix: fix.verdict,
      hidden: Object.entries(hidden ?? {})
        .map(([parameter, value]) => `${parameter}=${value}`)
        .join(', '),
      bytes: readFileSync(ptxFile(name, false)).length,
      ms: UPDATE ? ms : (times.get(Number(name.slice(0, 3))) ?? 0),
    });
  });
}

test('every folder has its row in KERNELS, sorted by number', () => {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((one) => one.isDirectory());
  assert.deepEqual(Object.keys(KERNELS), folders.map(({ name }) => name).toSorted());
});

test('examples/ptx/bugs/README.md is the table of these verdicts', () => {
  expectPage(PAGE, pageOf(rows, Object.keys(KERNELS).length - rows.length));
});

/** Pages that say how many there are. */
const COUNTING = ['docs/explanation/trust.md', 'docs/how-to/ptx.md', 'docs/reference/ptx.md'];

test('pages that link to the table say how many bugs are in it', () => {
  for (const page of COUNTING) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const [, count] = /\[(\w+) [^\]]*\]\([./]*examples\/ptx\/bugs\/README\.md\)/.exec(text) ?? [];
    assert.equal(count, `${rows.length}`, page);
  }
});
