// `check --link`: the address that opens a program and its finding in the playground.
import { readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { Report } from '@poundlock/core/internal/finding';
import type { Host } from '@poundlock/core/internal/host';
import { writeProgram, type SharedFile, type Values } from '../explore/index.ts';
import type { Planned } from './check-files.ts';
import { isPtx, isSteps, ptxOptions } from './load-ptx.ts';
import { programFiles } from './module-graph.ts';
import type { LaunchWords } from './options/launch.ts';
import type { Target } from './options/reporters.ts';

/** Where the playground is published. */
const PLAYGROUND = 'https://poundlock.github.io/poundlock/playground/';

/** Throws where the playground would open something else. */
export function mustBeLinkable(files: readonly string[], options: LaunchWords): void {
  if (files.some(isSteps)) throw new InputError('--link is for programs and PTX');
  if (options.entry !== undefined || Number(options.launchIndex ?? 0) > 0)
    throw new InputError(
      '--link opens the first launch of a file: without --entry, --launch-index',
    );
}

/** Prints it on stdout, or on stderr where stdout has a document. */
export async function printLink(
  file: string,
  planned: Planned | null,
  report: Report<'check'>,
  targets: readonly Target[],
  host: Host,
): Promise<void> {
  // Why it could not be loaded is in the report.
  if (planned === null) return;
  const files = await filesOf(file, host);
  const finding = report.findings.find(({ replayToken, launch }) => {
    return replayToken !== undefined && launch === undefined;
  });
  const params = { ...planned.params.needed(), ...finding?.params };
  const address = await linkTo(files, params, finding?.replayToken, host);
  const hasDocument = targets.some(({ name, file: to }) => to === undefined && name !== 'terminal');
  const output = hasDocument ? host.stderr : host.stdout;
  output.write(`playground: ${address}\n`);
}

async function linkTo(
  files: readonly SharedFile[],
  params: Values,
  token: string | undefined,
  host: Host,
): Promise<string> {
  const words = new URLSearchParams({ program: await writeProgram(files) });
  if (Object.keys(params).length > 0) words.set('params', JSON.stringify(params));
  if (token !== undefined) words.set('path', token);
  return `${host.env['POUNDLOCK_PLAYGROUND'] ?? PLAYGROUND}#${words.toString()}`;
}

async function filesOf(file: string, host: Host): Promise<SharedFile[]> {
  if (isPtx(file)) return builtFiles(file, host);
  const paths = programFiles(resolve(host.cwd, file));
  const folder = commonFolder(paths);
  return paths.map((path) => {
    const name = relative(folder, path).split(sep).join('/');
    return { name, text: readFileSync(path, 'utf8') };
  });
}

async function builtFiles(file: string, host: Host): Promise<SharedFile[]> {
  const { ptx, launch, entry, launchIndex } = await ptxOptions(file, host);
  if (entry !== undefined || (launchIndex ?? 0) > 0)
    throw new InputError(
      '--link opens the first launch of a file: without --entry, --launch-index',
    );
  return [
    { name: `${basename(ptx.file).replace(/\.ptx$/i, '')}.ptx`, text: ptx.text },
    { name: basename(launch.file), text: launch.text },
  ];
}

/** The folder that all of these are in. */
function commonFolder(paths: readonly string[]): string {
  let folder = dirname(paths[0]!);
  while (!paths.every((path) => path.startsWith(folder + sep)) && folder !== dirname(folder))
    folder = dirname(folder);
  return folder;
}
