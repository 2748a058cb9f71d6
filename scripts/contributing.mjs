// Verifies the table of CONTRIBUTING.md: makes each kind of change in a copy of the sources, with a
// dummy, and shows the errors of the compiler and the tests. Fails if a file that has to
// change is not named under the heading of that change, or if nothing reports it.
//
//   node scripts/contributing.mjs [operation rule …]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const COPIED = ['packages', 'test', 'examples', 'tools', 'docs', 'scripts'];
const COPIED_FILES = ['package.json', 'tsconfig.base.json', 'tsconfig.check.json', 'README.md'];
const OWN = {
  '@poundlock/core': 'packages/core',
  '@poundlock/dialects': 'packages/dialects',
  '@poundlock/ptx': 'packages/ptx',
  '@poundlock/ring': 'packages/ring',
  '@poundlock/linear': 'packages/linear',
  '@poundlock/lint': 'packages/lint',
  '@poundlock/farm': 'tools/farm',
  '@poundlock/fuzz': 'tools/fuzz',
  poundlock: 'packages/poundlock',
  'eslint-plugin-poundlock': 'packages/eslint-plugin',
};

/**
 * Each change: its heading in CONTRIBUTING.md, the first edit, and tests that must then fail; or
 * rows of the table of instructions, which need no other file. All
 * of them are compiled together: an error is assigned to the change whose addition it names, or
 * whose `folder` it is in. Errors of a new operation name its number or nothing, so it gets the
 * remaining ones.
 */
const CHANGES = {
  operation: {
    heading: 'A new operation',
    isUnnamed: true,
    edit: ['packages/core/src/op/kind.ts', /^ {2}waitGrids: (\d+),$/m, '$&\n  dummy: 46,'],
    errors: 20,
  },
  rule: {
    heading: 'A new rule',
    edit: [
      'packages/core/src/finding/rule.ts',
      /^ {2}deadlock: error/m,
      "  'dummy-rule': error('either', 'a dummy'),\n$&",
    ],
    errors: 3,
    tests: ['packages/core/test/finding/*.test.ts', 'test/docs/rules.test.ts'],
  },
  instruction: {
    heading: 'A new PTX instruction',
    edit: ['packages/ptx/src/isa/forms/fences.ts', /$/, '\n'],
    errors: 0,
    rows: [
      {
        what: 'a hint',
        edit: ['cache.ts', /^prefetchu \|/m, 'dummyhint | .x | [a] | 9.5 | sm_90 | harmless\n$&'],
        body: 'dummyhint.x [x];',
        verdict: 'certified',
      },
      {
        what: 'an access to memory',
        edit: [
          'memory.ts',
          /^ld \|/m,
          'dummyload | .x ($ss) .u32 | w32, [a] | 9.5 | sm_90 | modeled\n$&',
        ],
        body: '@%p0 bra B; st.shared.u32 [x], 1; ret; B: dummyload.x.shared.u32 %r1, [x];',
        verdict: 'race',
      },
      {
        what: 'a barrier',
        edit: [
          'thread-barriers.ts',
          /^bar\.sync,/m,
          'dummybarrier | .x | r32, r32? | 9.5 | sm_90 | modeled\n$&',
        ],
        body: '@%p0 bra B; st.shared.u32 [x], 1; B: dummybarrier.x 0; ld.shared.u32 %r1, [x];',
        verdict: 'certified',
      },
      {
        what: 'a modifier',
        edit: ['memory.ts', /^ldu \| \[\.global\]/m, '$& [.dummyword]'],
        body: 'ldu.dummyword.global.u32 %r1, [%rd0];',
        verdict: 'certified',
      },
    ],
    tests: ['packages/poundlock/test/ptx/instructions-page.test.ts'],
  },
  step: {
    heading: 'A new step of a warp',
    folder: 'packages/ptx/',
    edit: [
      'packages/ptx/src/steps/step.ts',
      /^export type JoinStep = .*;$/m,
      "$&\nexport type DummyStep = At & { readonly op: 'dummy-step' };",
      /^ {2}\| JoinStep$/m,
      '$&\n  | DummyStep',
    ],
    errors: 7,
  },
  assumption: {
    heading: 'A new hardware assumption',
    edit: [
      'packages/poundlock/src/check/certify/memory/fault.ts',
      /^export type Practice = /m,
      "$&'dummy-assumption' | ",
    ],
    errors: 1,
  },
  model: {
    heading: 'A new GPU model',
    edit: [
      'packages/poundlock/src/simulate/models/names.ts',
      "'abstract'",
      "'abstract', 'dummy-model'",
    ],
    errors: 1,
  },
  format: {
    heading: 'A new export format',
    edit: [
      'packages/poundlock/src/export/index.ts',
      "'dot'] as const",
      "'dot', 'dummy-format'] as const",
    ],
    errors: 1,
  },
  reporter: {
    heading: 'A new reporter',
    edit: ['packages/poundlock/src/report/names.ts', "'svg',", "'svg', 'dummy-reporter',"],
    errors: 1,
  },
  option: {
    heading: 'A new option of check',
    edit: [
      'packages/poundlock/src/check/options.ts',
      /^export const CHECK = optionTable.*\{$/m,
      "$&\n  /** A dummy. */\n  'dummy-option': option.amount,",
    ],
    errors: 1,
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in CHANGES));
if (unknown !== undefined)
  fail(`no change '${unknown}': one of ${Object.keys(CHANGES).join(', ')}`);

const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const copy = copyOfSources();
const problems = [];
try {
  const names = Object.keys(CHANGES).filter((name) => wanted.length === 0 || wanted.includes(name));
  problems.push(...tryChanges(names));
} finally {
  rmSync(copy, { recursive: true, force: true });
}
for (const problem of problems) process.stderr.write(`contributing: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Makes the first edits of some changes; returns what CONTRIBUTING.md lacks. */
function tryChanges(names) {
  const errors = withEdits(names, compilerErrors);
  const isNaming = (name, { file, message }) =>
    message.includes(`dummy-${name}`) || file.startsWith(CHANGES[name].folder ?? '/');
  const unclaimed = errors.filter((error) => !names.some((name) => isNaming(name, error)));
  const ownOf = (name) =>
    CHANGES[name].isUnnamed ? unclaimed : errors.filter((error) => isNaming(name, error));
  const problems = names.flatMap((name) =>
    judge(
      name,
      ownOf(name).map(({ file }) => file),
    ),
  );
  if (names.some((name) => CHANGES[name].isUnnamed)) return problems;
  // An error that follows from another one in its file names no change.
  const known = new Set(names.flatMap((name) => ownOf(name).map(({ file }) => file)));
  const others = unclaimed.filter(({ file }) => !known.has(file));
  return [...problems, ...others.map(({ file }) => `${names.join(' or ')}: ${file} has an error`)];
}

/** The faults of the section of a change, if these files have errors after its first edit. */
function judge(name, found) {
  const { heading, edit, errors, tests = [] } = CHANGES[name];
  const section = sectionOf(heading);
  if (section === undefined) return [`CONTRIBUTING.md has no heading '${heading}'`];
  const { rows = [] } = CHANGES[name];
  const failures =
    rows.length > 0
      ? Math.min(...rows.map((row) => withRow(row, () => failedTests(tests))))
      : tests.length === 0
        ? 0
        : withEdits([name], () => failedTests(tests));
  const files = [...new Set(found)].sort();
  const tested = tests.length === 0 ? '' : `, ${failures} failed tests`;
  process.stdout.write(`${name}: ${found.length} errors in ${files.length} files${tested}\n`);
  for (const each of files) process.stdout.write(`  ${each}\n`);
  const missing = [edit[0], ...files].filter((each) => !isNamed(section, each));
  return [
    ...missing.map((each) => `${name}: '${heading}' does not name ${each}`),
    ...(found.length < errors ? [`${name}: ${found.length} errors, at least ${errors}`] : []),
    ...(tests.length > 0 && failures === 0 ? [`${name}: no test fails`] : []),
    ...rows.flatMap((row) => misunderstood(name, row)),
  ];
}

/** The result of `look` while a row of the table of instructions is in the copy. */
function withRow({ edit: [file, from, to] }, look) {
  const path = join(copy, 'packages/ptx/src/isa/forms', file);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`nothing to replace in ${file}`);
  writeFileSync(path, after);
  try {
    return look();
  } finally {
    writeFileSync(path, before);
  }
}

/** What \`check\` says of a kernel with an instruction that is a row alone, if it is not expected. */
function misunderstood(name, row) {
  const script = `
    import { check } from 'poundlock/check';
    import { ptxKernel } from 'poundlock/ptx';
    const text = \`.version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry kernel()
      { .reg .b32 %r<2>; .reg .b64 %rd<1>; .reg .pred %p<1>; .shared .align 8 .b8 x[8];
      mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; mov.b64 %rd0, 4096; ${row.body} ret; }\`;
    const launch = JSON.stringify({ grid: [1, 1, 1], block: [64, 1, 1], params: [] });
    const kernel = ptxKernel({
      ptx: { file: 'kernel.ptx', text }, launch: { file: 'launch.json', text: launch },
    });
    const { verdict, findings } = await check(kernel);
    process.stdout.write(verdict === 'counterexample' ? findings[0].rule : verdict);`;
  const args = ['--conditions=poundlock-source', '--input-type=module', '-e', script];
  const run = () =>
    spawnSync(process.execPath, args, { cwd: join(copy, 'packages/poundlock'), encoding: 'utf8' });
  const { stdout, stderr } = withRow(row, run);
  process.stdout.write(`  ${row.what}, by its row alone: ${stdout}\n`);
  if (stdout === row.verdict) return [];
  return [`${name}: the row of ${row.what} gives '${stdout}', not '${row.verdict}'${stderr}`];
}

/** The result of `look` while the first edits of some changes are in the copy. */
function withEdits(names, look) {
  const before = new Map();
  try {
    for (const name of names) {
      const [file, ...replacements] = CHANGES[name].edit;
      const text = readFileSync(join(copy, file), 'utf8');
      if (!before.has(file)) before.set(file, text);
      let after = text;
      for (let index = 0; index < replacements.length; index += 2) {
        const changed = after.replace(replacements[index], replacements[index + 1]);
        if (changed === after) throw new Error(`${name}: nothing to replace in ${file}`);
        after = changed;
      }
      writeFileSync(join(copy, file), after);
    }
    return look();
  } finally {
    for (const [file, text] of before) writeFileSync(join(copy, file), text);
  }
}

/** The text below a heading, up to the next one of its level or above. */
function sectionOf(heading) {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#{1,3} /.test(line));
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

/** Files are named from their room on: `machine/machine.ts`, `test/op/kernels.ts`. */
function isNamed(section, file) {
  const short = file.replace(/^(?:packages|tools)\/[\w-]+\/(src\/)?/, '');
  return section.includes(`\`${short}\``) || section.includes(`\`${file}\``);
}

/** Every error: its file, and all its lines. */
function compilerErrors() {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', 'tsconfig.check.json', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
  const errors = stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error.*(?:\n .*)*/gm);
  return [...errors].map(([message, file]) => ({ file, message }));
}

function failedTests(patterns) {
  const env = { ...process.env, NODE_OPTIONS: '--conditions=poundlock-source' };
  // Not part of the test run that may have started this script.
  delete env.NODE_TEST_CONTEXT;
  const args = ['--test', '--test-reporter=tap', ...patterns];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env });
  return Number(/^# fail (\d+)$/m.exec(stdout)?.[1] ?? 0);
}

/** The sources, with packages that find one another inside the copy. */
function copyOfSources() {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-contributing-'));
  const isWanted = (path) => !['node_modules', 'dist', 'lib'].includes(basename(path));
  for (const name of COPIED) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isWanted });
  }
  for (const name of COPIED_FILES) cpSync(join(ROOT, name), join(folder, name));
  linkModules(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const name of [
    'packages/eslint-plugin',
    'tools/classic-typescript',
    'tools/editors/vscode',
  ]) {
    linkModules(join(ROOT, name, 'node_modules'), join(folder, name, 'node_modules'));
  }
  mkdirSync(join(folder, 'node_modules', '@poundlock'), { recursive: true });
  for (const [name, at] of Object.entries(OWN)) {
    symlinkSync(join(folder, at), join(folder, 'node_modules', name), 'junction');
  }
  return folder;
}

function linkModules(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of listOf(from)) {
    if (name === '@poundlock' || name in OWN || name.startsWith('.')) continue;
    symlinkSync(join(from, name), join(to, name), 'junction');
  }
}

function listOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function fail(message) {
  process.stderr.write(`contributing: ${message}\n`);
  process.exit(2);
}
