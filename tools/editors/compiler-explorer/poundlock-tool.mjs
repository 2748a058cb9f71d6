#!/usr/bin/env node
// A tool of Compiler Explorer: checks the PTX that was compiled; the launch file comes on stdin.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

/** PTX begins with comments and its version. */
const PTX = /^(?:\s|\/\/[^\n]*\n)*\.version\s/;
/** The bytes of a file that decide whether it is PTX. */
const HEAD_BYTES = 16_384;
/** The most bytes of a launch file. */
const MAX_LAUNCH = 1024 * 1024;
/** Compiler Explorer ends a tool after 7.5 s. */
const SECONDS = 6;

const HELP = `poundlock: paste the launch into the tool's stdin, as JSON, for example
{ "grid": [1, 1, 1], "block": [64, 1, 1], "params": [{ "kind": "pointer", "bytes": 65536 }] }
`;

/** Words of the tool's arguments; the last one is the source file, whose folder is this one. */
const words = process.argv.slice(2, -1);
const ptx = readdirSync('.').find((name) => name !== 'poundlock.ptx' && PTX.test(headOf(name)));
const launch = readFileSync(0, 'utf8').slice(0, MAX_LAUNCH);

if (ptx === undefined) stop('poundlock: there is no PTX: compile for a GPU, to PTX\n');
if (launch.trim() === '') stop(HELP);
writeFileSync('poundlock.ptx', readFileSync(ptx));
writeFileSync('poundlock.launch.json', withoutPtx(launch));
const require = createRequire(import.meta.url);
const bin = join(require.resolve('poundlock/package.json'), '..', 'bin', 'poundlock.js');
const all = [bin, 'check', 'poundlock.ptx', '--timeout', String(SECONDS), ...words];
const { status } = spawnSync(process.execPath, all, { stdio: ['ignore', 'inherit', 'inherit'] });
process.exit(status ?? 2);

/** A launch of the PTX of the pane, whatever file it was a launch of. */
function withoutPtx(text) {
  try {
    return JSON.stringify({ ...JSON.parse(text), ptx: undefined });
  } catch {
    // The check says where it is wrong.
    return text;
  }
}

function headOf(name) {
  try {
    const file = openSync(name, 'r');
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    closeSync(file);
    return head.toString('utf8', 0, length);
  } catch {
    // A folder, or a file that only the compiler can read.
    return '';
  }
}

function stop(text) {
  process.stderr.write(text);
  process.exit(2);
}
