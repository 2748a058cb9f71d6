// `poundlock check` without a file: the kernels that the configuration of the project names.
import { relative, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { reportOf, type Report } from '@poundlock/core/internal/finding';
import { withoutGlobs, type Host } from '@poundlock/core/internal/host';
import type { ProjectKernels } from '../check/index.ts';
import { ExitCode, worst } from './exit-code.ts';
import type { CheckWords } from './options/check-options.ts';
import { readProject, type Project } from './options/config.ts';
import type { LaunchWords } from './options/launch.ts';
import { withoutFolders } from './recorded-files.ts';
import { version } from './version.ts';

/** Words of the command line that kernels of a project have, too. */
export interface KernelWords extends Partial<Omit<CheckWords, 'engine'>>, LaunchWords {
  readonly set?: readonly string[];
  readonly sweep?: readonly string[];
}

/** One entry of the configuration: its files, and its options as a command line has them. */
export interface ProjectEntry {
  readonly files: readonly string[];
  readonly words: KernelWords;
}

const NOTHING =
  "missing required argument 'FILE': name one, or write the kernels of the project down with " +
  '`poundlock init`';

/** The kernels of the project. */
export async function projectEntries(host: Host): Promise<ProjectEntry[]> {
  const project = await readProject(host);
  const kernels = project?.checks.kernels ?? [];
  if (project === null || kernels.length === 0) throw new InputError(NOTHING);
  return kernels.map(({ files, ...options }) => ({
    files: filesOf(files, project, host),
    words: wordsOf(options, project, host),
  }));
}

/** Paths of a configuration are relative to its folder, and are shown as from the current one. */
function shown(path: string, { folder }: Project, { cwd }: Host): string {
  return relative(cwd, resolve(folder, path)) || '.';
}

function filesOf(files: ProjectKernels['files'], project: Project, host: Host): string[] {
  const named = withoutGlobs(typeof files === 'string' ? [files] : files, project.folder);
  const paths = named.map((file) => shown(file, project, host));
  return withoutFolders(paths, host.cwd);
}

type Table = Readonly<Record<string, string | number | boolean>>;

function assignments(table: Table | undefined): string[] | undefined {
  return table && Object.entries(table).map(([name, value]) => `${name}=${String(value)}`);
}

function size(value: number | readonly number[] | undefined): string | undefined {
  return value === undefined ? undefined : [value].flat().join(',');
}

/** The options of an entry: a new one is a compile error here. */
function wordsOf(
  options: Omit<ProjectKernels, 'files'>,
  project: Project,
  host: Host,
): KernelWords {
  const { set, sweep, block, grid, cluster, smem, ...others } = options;
  const { param, launch, launchIndex, ...same } = others;
  const words: { readonly [Name in keyof KernelWords]: KernelWords[Name] | undefined } = {
    ...same,
    set: assignments(set),
    sweep: assignments(sweep),
    param: assignments(param),
    block: size(block),
    grid: size(grid),
    cluster: size(cluster),
    smem: smem?.toString(),
    launch: launch && shown(launch, project, host),
    launchIndex: launchIndex?.toString(),
  };
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

/** Options of the command line before those of an entry; lists are joined. */
export function withWords<Words extends object>(words: KernelWords, options: Words): Words {
  const own = Object.entries(options).filter(([, value]) => value !== undefined);
  const joined = own.map(([name, value]) => {
    const before: unknown = words[name as keyof KernelWords];
    const isList = Array.isArray(before) && Array.isArray(value);
    return [name, isList ? [...(before as unknown[]), ...(value as unknown[])] : value] as const;
  });
  return { ...words, ...Object.fromEntries(joined) } as Words;
}

/** What one entry came to. */
export interface EntryOutcome {
  readonly report: Report<'check'>;
  readonly code: ExitCode;
}

/** Checks one entry after the other, until Ctrl-C, and makes one report. */
export async function checkEntries(
  entries: readonly ProjectEntry[],
  checkOne: (entry: ProjectEntry) => Promise<EntryOutcome>,
  host: Host,
): Promise<EntryOutcome> {
  let isInterrupted = false;
  const stop = host.onInterrupt(() => void (isInterrupted = true));
  const outcomes: EntryOutcome[] = [];
  for (const entry of entries) {
    if (!isInterrupted) outcomes.push(await checkOne(entry));
  }
  stop();
  const reports = outcomes.map(({ report }) => report);
  const results = reports.flatMap(({ results: some, findings }) =>
    some.map((result, index) => ({
      result,
      findings: findings.filter((finding) => finding.result === index),
    })),
  );
  const missing = entries.length - outcomes.length;
  const facts = {
    isBatch: results.length + missing > 1,
    swept: [...new Set(reports.flatMap(({ swept }) => swept))],
    skipped: reports.reduce((sum, { skipped }) => sum + skipped, missing),
  };
  const codes = outcomes.map(({ code }) => code);
  if (missing > 0) codes.push(ExitCode.inconclusive);
  return { report: reportOf('check', version(), results, facts), code: worst(codes) };
}
