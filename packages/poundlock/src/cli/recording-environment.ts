// The environment of a recorded command, the machine, and the caches of compilers.
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Host } from '@poundlock/core/internal/host';
import type { Copies, Machine } from '../record/index.ts';
import { copyWords } from '../record/index.ts';

/** Options of the library. */
export interface LibraryOptions {
  readonly library: string;
  /** The folder of the raw recording. */
  readonly folder: string;
  readonly launches: number;
  readonly kernel: string | undefined;
  readonly copies: Copies;
  /** Whether tensor maps behind pointers are looked for. */
  readonly follow: boolean;
  /** PTX files that kernels run from, by the names of the kernels. */
  readonly replacements?: ReadonlyMap<string, string>;
}

/** Launches that differ in padding alone are one: the library writes more than are collected. */
const SPARE = 2;

/** What the environment has, with the library. A library that is preloaded already stays. */
export function recordedEnvironment(
  env: Host['env'],
  { library, folder, launches, kernel, copies, follow, replacements = new Map() }: LibraryOptions,
): Record<string, string | undefined> {
  const preloaded = env['LD_PRELOAD'];
  const copy = copyWords(copies);
  return {
    ...env,
    LD_PRELOAD: preloaded ? `${preloaded}:${library}` : library,
    POUNDLOCK_RECORD: folder,
    POUNDLOCK_RECORD_LAUNCHES: String(launches * SPARE),
    ...(copy !== '' && { POUNDLOCK_RECORD_COPY: copy }),
    // The library knows mangled names alone.
    ...(kernel !== undefined && { POUNDLOCK_RECORD_KERNEL: `*${kernel}*` }),
    ...(follow && { POUNDLOCK_RECORD_FOLLOW: '1' }),
    ...(replacements.size > 0 && {
      POUNDLOCK_REPLACE: [...replacements].map(([name, file]) => `${name}=${file}`).join('\n'),
    }),
  };
}

/** The version of glibc that this process runs on. */
function glibcVersion(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const before = report.excludeNetwork;
  report.excludeNetwork = true; // names of peers take time, and are not needed
  const { header } = report.getReport() as { readonly header: { glibcVersionRuntime?: string } };
  report.excludeNetwork = before;
  return header.glibcVersionRuntime;
}

/** The machine of this process. */
export function thisMachine(env: Host['env']): Machine {
  return {
    platform: process.platform,
    architecture: process.arch,
    glibc: glibcVersion(),
    cache: env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'),
    compiler: env['CC'] || 'cc',
    process: process.pid,
  };
}

/** Where Triton and inductor keep cubins beside their PTX. */
export function compilerCaches(env: Host['env']): string[] {
  return [
    env['TRITON_CACHE_DIR'] || join(env['HOME'] || homedir(), '.triton', 'cache'),
    env['TORCHINDUCTOR_CACHE_DIR'] || join(tmpdir(), `torchinductor_${userInfo().username}`),
  ];
}
