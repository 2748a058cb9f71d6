// tier: deep
// Every verb with every kind of bad path: exit 2, and one line that names it.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { Command } from 'commander';
import { VERBS } from '#src/cli/verbs/index';
import { ExitCode } from '#src/cli/exit-code';
import { fakeHost, folder, poundlock } from './fake-host.ts';
import { RING } from './kernels.ts';

/** Names that no file can be read from, nor written to. */
const PATHS = {
  'nothing there': 'gone/gone',
  'a link to itself': 'loop',
  'a folder behind a link to itself': 'loop/inner',
  'a name of 300 characters': 'k'.repeat(300),
  'a folder with a name of 300 characters': `${'k'.repeat(300)}/inner`,
  'a file that is taken for a folder': 'ring.ts/inner',
} as const;

/** Verbs that have no file of the user. */
const WITHOUT_FILES = new Set(['explain', 'operations', 'worker', 'farm', 'lsp', 'dap', 'mcp']);
/** What else a verb needs, so that only its path is wrong. */
const NEEDED: Readonly<Record<string, readonly string[]>> = { export: ['--format', 'dot'] };
/** Suffixes that decide how a file is read. */
const SUFFIXES = ['', '.ts', '.ptx', '.json', '.jsonl', '.csv'];
/** Options whose value is a path, and those that make a folder there. */
const IS_PATH = /<(?:FILE|DIR|FOLDER|NAME\[=FILE\])|\[FILE\]/;
const MAKES_FOLDER = /<FOLDER>|--out <DIR>/;

function prepared(t: TestContext): string {
  const cwd = folder(t, { 'ring.ts': RING, 'k.ptx': '.version 9.0\n.target sm_90\n' });
  for (const suffix of SUFFIXES) symlinkSync(`loop${suffix}`, join(cwd, `loop${suffix}`));
  mkdirSync(join(cwd, 'empty'));
  return cwd;
}

/** The definition of a verb, without a run of it. */
async function definitionOf(verb: string): Promise<Command> {
  const command = new Command(verb);
  (await VERBS[verb]!.load())(command, fakeHost('/').host, () => undefined);
  return command;
}

async function mustBeOneLine(cwd: string, argv: readonly string[]): Promise<void> {
  const what = argv.map((word) => word.slice(0, 40)).join(' ');
  const before = readdirSync(cwd).length;
  const { code, stderr, stdout } = await poundlock(cwd, argv);
  assert.equal(code, ExitCode.couldNotRun, `${what}: exit ${code}\n${stdout}${stderr}`);
  assert.match(stderr, /^poundlock: [^\n]+\n$/, what);
  assert.doesNotMatch(stderr, /internal error|\bE[A-Z]{4,}\b|^\s+at /, what);
  assert.equal(readdirSync(cwd).length, before, `${what}: leaves something behind`);
}

for (const verb of Object.keys(VERBS).filter((name) => !WITHOUT_FILES.has(name))) {
  suite(verb, () => {
    test('as its argument', async (t) => {
      const cwd = prepared(t);
      const suffixes = verb === 'record' ? [] : SUFFIXES;
      for (const path of Object.values(PATHS)) {
        for (const suffix of suffixes)
          await mustBeOneLine(cwd, [verb, `${path}${suffix}`, ...(NEEDED[verb] ?? [])]);
      }
    });
    test('as the value of each option', async (t) => {
      const cwd = prepared(t);
      for (const { long, flags } of (await definitionOf(verb)).options) {
        if (!IS_PATH.test(flags)) continue;
        // A launch file belongs to PTX.
        const file = long === '--launch' ? 'k.ptx' : 'ring.ts';
        const argument = verb === 'record' ? ['--', 'true'] : [file];
        const prefix = flags.includes('[=FILE]') ? 'json=' : '';
        for (const [kind, path] of Object.entries(PATHS)) {
          if (kind === 'nothing there' && MAKES_FOLDER.test(flags)) continue;
          const value = `${long}=${prefix}${path}`;
          await mustBeOneLine(cwd, [verb, ...(NEEDED[verb] ?? []), value, ...argument]);
        }
      }
    });
  });
}
