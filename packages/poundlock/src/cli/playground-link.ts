// `check --link`: the address that opens a program and its finding in the playground.
import { basename, relative, resolve, sep } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { Report } from '@poundlock/core/internal/finding';
import { commonFolder, readText, type Host } from '@poundlock/core/internal/host';
import {
  builtFrom,
  writeProgram,
  type BuiltChoice,
  type LaunchPlace,
  type SharedFile,
} from '../explore/index.ts';
import type { Planned } from './check-files.ts';
import { isPtx, isSteps, ptxOptions } from './load-ptx.ts';
import { programFiles } from './module-graph.ts';
import type { Target } from './options/reporters.ts';

/** Where the playground is published. */
const PLAYGROUND = 'https://poundlock.github.io/poundlock/playground/';

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
  const { files, choice = {} } = await linked(file, host);
  const finding = report.findings.find(({ replayToken }) => replayToken !== undefined);
  const other = finding?.launch;
  // Another launch has its own numbers.
  const own = other === undefined ? planned.params.needed() : {};
  const params = { ...own, ...finding?.params };
  const words = new URLSearchParams({ program: await writeProgram(files) });
  const { entry, launch } = other === undefined ? choice : launchOf(files, choice, other);
  if (entry !== undefined) words.set('entry', entry);
  if (launch !== undefined) words.set('launch', String(launch + 1));
  if (Object.keys(params).length > 0) words.set('params', JSON.stringify(params));
  if (finding?.replayToken !== undefined) words.set('path', finding.replayToken);
  const address = `${host.env['POUNDLOCK_PLAYGROUND'] ?? PLAYGROUND}#${words.toString()}`;
  const hasDocument = targets.some(({ name, file: to }) => to === undefined && name !== 'terminal');
  const output = hasDocument ? host.stderr : host.stdout;
  output.write(`playground: ${address}\n`);
}

/** What a link opens: files, and of PTX which kernel and launch. */
interface Linked {
  readonly files: readonly SharedFile[];
  readonly choice?: BuiltChoice;
}

async function linked(file: string, host: Host): Promise<Linked> {
  if (isPtx(file)) return builtFiles(file, host);
  const path = resolve(host.cwd, file);
  if (isSteps(file)) return { files: [{ name: basename(file), text: readText(path, file) }] };
  const paths = programFiles(path);
  const folder = commonFolder(paths);
  const files = paths.map((each) => {
    const name = relative(folder, each).split(sep).join('/');
    return { name, text: readText(each, name) };
  });
  return { files };
}

async function builtFiles(file: string, host: Host): Promise<Linked> {
  const { ptx, launch, otherLaunches = [], entry, ...options } = await ptxOptions(file, host);
  if (options.assumeBoxes === true)
    throw new InputError('--link opens what the launch file has: without --assume boxes');
  const files = [
    { name: `${basename(ptx.file).replace(/\.ptx$/i, '')}.ptx`, text: ptx.text },
    ...[launch, ...otherLaunches].map((each) => ({ name: basename(each.file), text: each.text })),
  ];
  const choice = entry === undefined ? {} : { entry };
  const { launchIndex: index } = options;
  if (index === undefined) return { files, choice };
  return { files, choice: launchOf(files, choice, { file: launch.file, index }) };
}

/** The choice of one launch of the files. */
function launchOf(
  [ptx, ...launchFiles]: readonly SharedFile[],
  choice: BuiltChoice,
  { file, index }: LaunchPlace,
): BuiltChoice {
  const asText = ({ name, text }: SharedFile) => ({ file: name, text });
  const { offer } = builtFrom(asText(ptx!), launchFiles.map(asText), choice, String);
  const name = basename(file);
  const launch = offer.launches.findIndex((one) => one.file === name && one.index === index);
  return launch < 0 ? choice : { ...choice, launch };
}
