// The stand-in driver and programs that launch through it, compiled by the tests; and `record` of
// them.
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poundlock, type Outcome } from '../cli/fake-host.ts';

const NATIVE = join(import.meta.dirname, 'native');
const DRIVER = join(import.meta.dirname, '..', '..', 'native', 'driver');
const STRICT = ['-std=gnu11', '-O1', '-Wall', '-Wextra', '-Werror'];

/** Why the tests that compile C are skipped; `false` where they run. */
export const isSkipped: string | false =
  process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0
    ? false
    : 'needs Linux and a C compiler (cc)';

/** A kernel that waits for a copy through a tensor map; its launch has four bytes of padding. */
export const RING = `//
.version 8.0
.target sm_90a
.address_size 64
.file 1 "/home/user/project/kernel.cu"
.file 2 "/opt/library/copy.cuh", 1700000000, 4711
.visible .entry ring(
  .param .align 64 .b8 ring_param_0[128],
  .param .u32 ring_param_1,
  .param .u32 ring_param_2,
  .param .u32 ring_param_3,
  .param .u64 .ptr .align 1 ring_param_4
)
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 128 .b8 tile[4096];
  .shared .align 8 .b64 full;
  .loc 1 7 3
  ld.param.u32 %r1, [ring_param_1];
  mov.b64 %rd1, ring_param_0;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r2, 0;
  mov.u32 %r3, full;
  mov.u32 %r4, tile;
  mov.u32 %r5, 0;
  @%p1 bra READY;
  mbarrier.init.shared::cta.b64 [%r3], 1;
  fence.mbarrier_init.release.cluster;
READY:
  bar.sync 0;
  @%p1 bra WAIT;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 4096;
  .loc 2 9 1
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], [%rd1, {%r5, %r5}], [%r3];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
  @!%p2 bra WAIT;
  ret;
}
.section .debug_str
{
$L__info:
.b8 47,104,111,109,101
}
`;

/** What the tests compile, in a folder of its own. */
export interface StandIn {
  readonly folder: string;
  readonly program: string;
  readonly wrapper: string;
  readonly image: string;
  readonly remove: () => void;
}

function compile(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('cc', [...STRICT, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Compiles the driver and the programs. */
export function compileStandIn(): StandIn {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-record-'));
  const driver = join(folder, 'libcuda.so.1');
  const program = join(folder, 'program');
  const wrapper = join(folder, 'wrapper.so');
  const image = join(folder, 'ring.ptx');
  const soname = '-Wl,-soname,libcuda.so.1';
  const sources = readdirSync(DRIVER).filter((name) => name.endsWith('.c'));
  const files = [...sources.map((name) => join(DRIVER, name)), join(NATIVE, 'observer.c')];
  compile('-shared', '-fPIC', '-fvisibility=hidden', soname, '-o', driver, ...files, '-ldl');
  symlinkSync('libcuda.so.1', join(folder, 'libcuda.so'));
  compile('-o', program, join(NATIVE, 'program.c'), `-L${folder}`, '-lcuda', '-ldl', '-lpthread');
  compile('-shared', '-fPIC', '-o', wrapper, join(NATIVE, 'wrapper.c'), '-ldl');
  writeFileSync(image, RING);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, program, wrapper, image, remove };
}

/** The environment in which programs find the stand-in; libraries are compiled once a machine. */
export function standInEnvironment(
  { folder }: StandIn,
  more: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_CACHE_HOME: join(tmpdir(), 'poundlock-test-cache'),
    LD_LIBRARY_PATH: folder,
    ...more,
  };
}

/** Options of {@link record}. */
export interface RecordOptions {
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly kernel?: string;
  /** A shell command instead of the program. */
  readonly shell?: string;
}

/** What a recorded program wrote. */
export interface Recorded extends Outcome {
  readonly folder: string;
  /** What the program printed. */
  readonly printed: string;
  /** The calls that arrived at the stand-in. */
  readonly calls: string;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Runs `poundlock record -- program MODE …` in a folder of its own. */
export async function record(
  standIn: StandIn,
  mode: string,
  { options = [], env = {}, image, kernel = 'ring', shell }: RecordOptions = {},
): Promise<Recorded> {
  const folder = mkdtempSync(join(standIn.folder, 'run-'));
  const output = join(folder, 'output');
  const log = join(folder, 'calls');
  const program = `exec '${standIn.program}' ${mode} '${image ?? standIn.image}' ${kernel}`;
  const command = ['sh', '-c', `${shell ?? program} >'${output}' 2>&1`];
  const outcome = await poundlock(folder, ['record', ...options, '--', ...command], {
    env: standInEnvironment(standIn, { STANDIN_LOG: log, ...env }),
  });
  return { ...outcome, folder, printed: readText(output), calls: readText(log) };
}

/** A launch file, as far as tests look at it. */
export interface LaunchFile {
  readonly kernel: string;
  readonly ptx: { readonly from: string; readonly exact: boolean; readonly target: string };
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly cluster: readonly number[];
  readonly dynamicSharedMemory: number;
  readonly registers?: number;
  readonly cooperative?: boolean;
  readonly programmatic?: boolean;
  readonly parameters: readonly { offset: number; size: number; bytes: string }[];
  readonly tensorMaps: readonly Record<string, unknown>[];
  readonly pointers: readonly Record<string, unknown>[];
  readonly memory: readonly Record<string, unknown>[];
}

/** The folders that `record` wrote, with their launches in order. */
export function foldersOf({ folder }: Recorded): { ptx: string; launches: LaunchFile[] }[] {
  const out = join(folder, 'recorded');
  return readdirSync(out)
    .toSorted()
    .map((name) => {
      const count = readdirSync(join(out, name)).filter((file) => file.endsWith('.json')).length;
      const launches = Array.from({ length: count }, (_, index) => {
        const file = index === 0 ? 'launch.json' : `launch-${index + 1}.json`;
        return JSON.parse(readFileSync(join(out, name, file), 'utf8')) as LaunchFile;
      });
      return { ptx: readFileSync(join(out, name, 'kernel.ptx'), 'utf8'), launches };
    });
}
