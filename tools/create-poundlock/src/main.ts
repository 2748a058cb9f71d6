// `npm create poundlock`: asks two questions, and writes a folder with a kernel and its test.
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { templateFiles } from './template.ts';
import { RefusedFolder, writeFolder } from './write-folder.ts';

const DEFAULT_FOLDER = 'my-kernels';
const CANNOT_RUN = 2;

const HELP = `Usage: npm create poundlock@latest [FOLDER] [-- OPTIONS]

Writes a folder with a certified kernel, a broken one, a test, a workflow and editor settings.

Options:
  --yes          take the defaults: the folder ${DEFAULT_FOLDER}, with the workflow
  --no-workflow  without the workflow of GitHub
  --version      print the version
  --help         print this help

Exit code: 0 written, 2 could not be written
`;

/** What was chosen. */
interface Choice {
  readonly folder: string;
  readonly hasWorkflow: boolean;
}

interface Options {
  readonly folder: string | undefined;
  readonly isYes: boolean;
  readonly hasWorkflow: boolean | undefined;
}

function version(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** The two questions, as far as the options leave them open. */
async function choose({ folder, isYes, hasWorkflow }: Options): Promise<Choice> {
  if (isYes) return { folder: folder ?? DEFAULT_FOLDER, hasWorkflow: hasWorkflow ?? true };
  if (process.stdin.isTTY !== true && (folder === undefined || hasWorkflow === undefined)) {
    throw new RefusedFolder('there is no terminal to ask on: --yes takes the defaults');
  }
  const terminal = createInterface({ input: process.stdin });
  const lines = terminal[Symbol.asyncIterator]();
  const answerTo = async (question: string): Promise<string> => {
    process.stdout.write(question);
    const { value, done } = await lines.next();
    if (done === true) throw new RefusedFolder('no answer, and nothing was written');
    return value.trim();
  };
  try {
    const name = folder ?? (await answerTo(`Folder? (${DEFAULT_FOLDER}) `));
    const isWanted =
      hasWorkflow ?? !/^n/i.test(await answerTo('Workflow of GitHub Actions? (Y/n) '));
    return { folder: name === '' ? DEFAULT_FOLDER : name, hasWorkflow: isWanted };
  } finally {
    terminal.close();
  }
}

/** Writes the folder, and says what to do next; the exit code. */
async function create(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    allowNegative: true,
    options: {
      yes: { type: 'boolean', short: 'y' },
      workflow: { type: 'boolean' },
      version: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) process.stdout.write(HELP);
  if (values.version === true) process.stdout.write(`${version()}\n`);
  if (values.help === true || values.version === true) return 0;
  if (positionals.length > 1) throw new RefusedFolder('one folder at a time');
  const { folder, hasWorkflow } = await choose({
    folder: positionals[0],
    isYes: values.yes === true,
    hasWorkflow: values.workflow,
  });
  const path = resolve(folder);
  const template = join(import.meta.dirname, '..', 'template');
  const files = templateFiles(template, { name: basename(path), version: version(), hasWorkflow });
  writeFolder(path, files);
  const into = path === process.cwd() ? [] : [`  cd ${folder}`];
  process.stdout.write(
    [
      `wrote ${files.size} files to ${path}; now`,
      ...into,
      '  npm install',
      '  npm test                                          # certifies kernels/gemm.ts',
      '  npx poundlock check kernels/broken/early-release.ts   # shows a counterexample',
      '',
    ].join('\n'),
  );
  return 0;
}

/** Runs the command of this process. */
export async function runProcess(): Promise<void> {
  try {
    process.exitCode = await create(process.argv.slice(2));
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`create-poundlock: ${message.split('\n')[0]}\n`);
    process.exitCode = CANNOT_RUN;
  }
}
