// Bytes that an agent reads over MCP on its way from PTX to its fix.
//
//   node --conditions=poundlock-source bench/agents.mjs [FOLDER]
//
// FOLDER has a folder for each kernel: its PTX is kernel.ptx, and each .json file a launch. Writes
// bench/results/agents.md; without FOLDER it keeps the row of such kernels.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { KERNELS } from '../examples/ptx/bugs/about.ts';
import { answersOn } from '../packages/poundlock/test/mcp/bugs.ts';
import { checkAnswer, FIRST_BYTES } from '../packages/poundlock/test/mcp/session.ts';

const PAGE = new URL('results/agents.md', import.meta.url);
/** Time of a check, which is that of the server unless an agent says otherwise. */
const TIMEOUT = ['--timeout', '60s'];

const [folder] = process.argv.slice(2);

const shareOf = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)];
const grouped = (count) => count.toLocaleString('en-US');

function rowOf(what, bytes) {
  const sorted = bytes.toSorted((a, b) => a - b);
  const shares = [0.5, 0.9, 1].map((share) => grouped(shareOf(sorted, share)));
  return `| ${what} | ${sorted.length} | ${shares.join(' | ')} |`;
}

async function ofBugs() {
  const names = Object.keys(KERNELS).filter((name) => KERNELS[name].awaits === undefined);
  const answers = [];
  for (const name of names) answers.push(await answersOn(name));
  const fixes = answers.map(([, fix]) => fix.bytes);
  return {
    fix: Math.max(...fixes),
    rows: [
      rowOf(
        'first answer, to the bug',
        answers.map(([bug]) => bug.bytes),
      ),
      rowOf('second answer, to the fix', fixes),
      rowOf(
        'both, and what is read before',
        answers.map(([b, f]) => FIRST_BYTES + b.bytes + f.bytes),
      ),
    ],
  };
}

/** Launches with a finding; their kernels have no fix, so that the longest of others stands for it. */
async function ofFolder(fix) {
  const bytes = [];
  for (const name of readdirSync(folder)) {
    const own = join(folder, name);
    for (const launch of readdirSync(own).filter((file) => file.endsWith('.json'))) {
      const answer = await checkAnswer(own, ['kernel.ptx', '--launch', launch, ...TIMEOUT]);
      if (answer.code === 1) bytes.push(FIRST_BYTES + answer.bytes + fix);
    }
  }
  return rowOf('both, of other compiled kernels', bytes);
}

const { rows, fix } = await ofBugs();
const before = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
const previous = /^\| both, of other compiled kernels .*$/m.exec(before)?.[0];
const others = folder === undefined ? previous : await ofFolder(fix);
writeFileSync(
  PAGE,
  `# What an agent reads

\`node --conditions=poundlock-source bench/agents.mjs [FOLDER]\`, on ${new Date().toISOString().slice(0, 10)}: bytes of JSON that an
agent reads over MCP from PTX with a bug to its fix, in 2 calls of \`check\` with the launch. Before the first
call it reads the list of tools and the server's instructions, ${grouped(FIRST_BYTES)} bytes. A test holds each of these
sessions to 6,000 bytes.

| | sessions | median | 90 % | most |
|---|---:|---:|---:|---:|
${[...rows, ...(others === undefined ? [] : [others])].join('\n')}

The first three rows are [the public bugs](../../examples/ptx/bugs/README.md) that \`check\` finds. Other compiled kernels
have a finding and no fix: the longest answer to a fix of the first rows is added for it. Answers of more than 1,600
characters are cut, and say what shows the rest.
`,
);
process.stdout.write(readFileSync(PAGE, 'utf8'));
