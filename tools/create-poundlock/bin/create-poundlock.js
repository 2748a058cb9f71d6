#!/usr/bin/env node
// Starts `npm create poundlock` on a Node that can run it; older ones get one line.
import process from 'node:process';

const NEEDED_MAJOR = 24;
const CANNOT_RUN = 2;

if (parseInt(process.versions.node, 10) < NEEDED_MAJOR) {
  const own = process.versions.node;
  process.stderr.write(`create-poundlock: needs Node ${NEEDED_MAJOR} or newer, this is ${own}\n`);
  const brought = `npx -p node@${NEEDED_MAJOR} -p create-poundlock create-poundlock`;
  process.stderr.write(`   npm has one: ${[brought, ...process.argv.slice(2)].join(' ')}\n`);
  process.exitCode = CANNOT_RUN;
} else {
  const words = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  const isSource = words.includes('--conditions=poundlock-source');
  const { runProcess } = await import(isSource ? '../src/main.ts' : '../dist/main.js');
  await runProcess();
}
