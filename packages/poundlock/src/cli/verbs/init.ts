// `poundlock init`: writes the configuration that `poundlock check` without a file checks.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { documentation, InputError } from '@poundlock/core/internal/base';
import { isThere, withoutGlobs, writeAtomically, type Host } from '@poundlock/core/internal/host';
import { ExitCode } from '../exit-code.ts';
import type { Verb } from './verb.ts';

const NAME = 'poundlock.config.ts';
/** The most kernels that are looked for, and how deep. */
const MAX_KERNELS = 500;
const MAX_DEPTH = 8;

const HELP = `
Examples:
  poundlock init                       every kernel below the current folder
  poundlock init kernel.cu 'build/*.ptx'

Exit code: 0 written, 2 there is a configuration, or no kernel`;

/** Whether a module exports a kernel, as far as its text shows. */
function exportsKernel(text: string): boolean {
  return /\bfrom\s+['"]poundlock(?:\/\w+)?['"]/.test(text) && /\bexport default\b/.test(text);
}

function isKernel(path: string): boolean {
  if (/\.ptx$/i.test(path)) return true;
  // What it is compiled to is the kernel, where that is here.
  if (/\.cu$/i.test(path)) return !isThere(path.replace(/\.cu$/i, '.ptx'));
  const isModule = /(?<!\.d|\.test|\.config)\.m?[jt]s$/.test(path);
  return isModule && exportsKernel(readFileSync(path, 'utf8'));
}

function kernelsBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      if (entry.isDirectory()) return kernelsBelow(path, depth + 1);
      return entry.isFile() && isKernel(path) ? [path] : [];
    });
}

function configText(files: readonly string[]): string {
  const rows = files.map((file) => `      { files: ${JSON.stringify(file)} },\n`);
  return `// The kernels of this project: \`poundlock check\` checks all of them.
import type { ProjectConfig } from 'poundlock/check';

export default {
  check: {
    // Options of each, such as set, every, memory, block, grid, param, accept:
    // ${documentation('reference/configuration.md')}
    kernels: [
${rows.join('')}    ],
  },
} satisfies ProjectConfig;
`;
}

function run(words: readonly string[], host: Host): void {
  const path = resolve(host.cwd, NAME);
  if (isThere(path)) throw new InputError(`${NAME} is there already: edit it`);
  const paths =
    words.length === 0
      ? kernelsBelow(host.cwd)
      : withoutGlobs(words, host.cwd).map((word) => resolve(host.cwd, word));
  const missing = paths.find((each) => !isThere(each));
  if (missing !== undefined) throw new InputError(`${missing}: no such file`);
  if (paths.length === 0) throw new InputError('no kernel is below this folder: name its files');
  if (paths.length > MAX_KERNELS)
    throw new InputError(`more than ${MAX_KERNELS} kernels are below this folder: name some`);
  const files = paths.map((each) => relative(host.cwd, each).split(sep).join('/'));
  writeAtomically(NAME, host.cwd, configText(files));
  host.stdout.write(`${NAME}\n`);
  host.stderr.write('`poundlock check` checks what it names\n');
}

export const initVerb: Verb = (command, host, done) => {
  command
    .argument('[FILE...]', 'kernels and globs; without them, those below the current folder')
    .addHelpText('after', HELP)
    .action((words: string[]) => {
      run(words, host);
      done(ExitCode.clean);
    });
};
