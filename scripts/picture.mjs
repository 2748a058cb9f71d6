// Renders the pictures of the documentation: node scripts/picture.mjs [FOLDER]
//
//   counterexample.svg   what `poundlock check examples/broken/early-release.ts` prints
//   schedule.svg         the schedule of the same race, as a space-time diagram
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { terminalSvg } from './picture/terminal.mjs';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'packages', 'poundlock', 'bin', 'poundlock.js');
const folder = process.argv[2] ?? join(ROOT, 'docs', 'pictures');

/** What a command prints in color, without the elapsed time. */
function printed(...argv) {
  const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined };
  const options = { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' };
  try {
    return execFileSync(process.execPath, [...process.execArgv, BIN, ...argv], options);
  } catch (error) {
    return error.stdout; // a counterexample has exit code 1
  }
}

const file = 'examples/broken/early-release.ts';
const frame = printed('check', file).replaceAll(/, [\d.]+ m?s/g, '');

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'counterexample.svg'), terminalSvg(`poundlock check ${file}`, frame));
printed('check', file, '--reporter', `svg=${join(folder, 'schedule.svg')}`);
