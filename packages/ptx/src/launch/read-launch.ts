// Reads launch files: recorded ones with the bytes of parameters, and those written by hand.
import { InputError } from '@poundlock/core/internal/base';
import type { AllowedValues } from '@poundlock/core/internal/program';
import type { PtxFunction } from '../text/module.ts';
import { Field } from './json-fields.ts';
import type { Dimensions, Launch } from './launch.ts';
import { earlierBuffers } from './earlier.ts';
import { readRecorded } from './recorded.ts';
import type { LaunchParameters } from './recorded.ts';
import { MAX_SHARED_BYTES } from './shared-limits.ts';
import { readOrigins } from './origin.ts';
import { readVary } from './vary.ts';
import { readWritten } from './written.ts';

/** Threads of a block that the hardware allows. */
const MAX_THREADS = 1024;
const MAX_MULTIPROCESSORS = 4096;
/** CTAs of a cluster. */
const MAX_CLUSTER = 16;
const MAX_GRID = 2 ** 31 - 1;
const MAX_ANSWERS = 1 << 20;

/** Members of the file beside those of its launch. */
const HEAD = ['$schema', 'format', 'version', 'kernel', 'ptx', 'device', 'launches'];
const OF_PTX = ['file', 'sha256', 'target', 'from', 'exact', 'lines'];
/** Members of every launch, of one written by hand, and of a recorded one. */
const LAUNCH = [
  'grid',
  'block',
  'cluster',
  'dynamicSharedMemory',
  'registers',
  'cooperative',
  'multiprocessors',
  'source',
  'programmatic',
  'programmaticDependent',
  'notes',
  'clusterLaunchControl',
  'atomicAnswers',
  'nonPortableCluster',
  'origin',
];
const WRITTEN = [...LAUNCH, 'params'];
const RECORDED = [...LAUNCH, 'parameters', 'tensorMaps', 'pointers', 'memory'];

/** Values that replace those of the launch file: `--set NAME=VALUE`. */
export type LaunchOverrides = Readonly<Record<string, number>>;

/** A launch file and the launches in it. */
export interface LaunchFile {
  /** The kernel that is launched; empty if the file does not say. */
  readonly kernel: string;
  /** The PTX file, relative to the launch file; empty if the file does not say. */
  readonly ptx: string;
  /** How many launches it has. */
  readonly count: number;
  /** The names of the parameters of a launch; empty where it has none. */
  readonly names: (index: number) => readonly string[];
  /** Other values that the numbers of a launch may have, by parameter; `null`: none. */
  readonly vary: (index: number) => readonly (AllowedValues | null)[];
  /** Where the parts of a launch come from, as the file says. */
  readonly origins: (index: number) => ReturnType<typeof readOrigins>;
  /** Reads one of its launches for the kernel. */
  readonly launch: (index: number, entry: PtxFunction, overrides: LaunchOverrides) => Launch;
}

/**
 * Reads a launch file.
 *
 * @param text The JSON text.
 * @param file Its name, for messages.
 * @throws InputError that names the file and the field that cannot be used.
 */
export function readLaunchFile(text: string, file: string): LaunchFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(
      `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const document = new Field(file, '', value);
  const format = document.at('format').text('poundlock-launch');
  if (format !== 'poundlock-launch') document.at('format').fail(`has to be "poundlock-launch"`);
  const version = document.at('version').integer(0, Number.MAX_SAFE_INTEGER, 1);
  if (version !== 1) document.at('version').fail(`is ${version}: only version 1 can be read`);
  const ptx = document.at('ptx');
  const launches = document.at('launches');
  const list = launches.isMissing ? [document] : launches.elements();
  if (list.length === 0) launches.fail('has no launch');
  document.only(launches.isMissing ? [...HEAD, ...membersOf(document)] : HEAD);
  if (!launches.isMissing) for (const each of list) each.only(membersOf(each));
  return {
    kernel: document.at('kernel').text(''),
    ptx:
      typeof ptx.value === 'string'
        ? ptx.value
        : ptx.isMissing
          ? ''
          : ptx.only(OF_PTX).at('file').text(),
    count: list.length,
    names: (index) => parameterNames(list[index]!),
    vary: (index) => parametersOf(list[index]!).map((each) => readVary('', each.at('vary'))),
    origins: (index) => readOrigins(list[index]!.at('origin')),
    launch: (index, entry, overrides) => readLaunch(list[index]!, entry, overrides),
  };
}

function isRecorded(field: Field): boolean {
  return !field.at('parameters').isMissing;
}

function membersOf(field: Field): readonly string[] {
  return isRecorded(field) ? RECORDED : WRITTEN;
}

function parametersOf(field: Field): Field[] {
  return field.at(isRecorded(field) ? 'parameters' : 'params').elements();
}

function parameterNames(field: Field): string[] {
  return parametersOf(field).map((each) => {
    const name = each.at('name').text('');
    if (name in Object.prototype) each.at('name').fail(`is '${name}', which cannot be a name`);
    return name;
  });
}

function dimensions(field: Field, most: number, missing?: Dimensions): Dimensions {
  if (field.isMissing && missing !== undefined) return missing;
  const list = field.elements().map((element) => element.integer(1, most));
  if (list.length < 1 || list.length > 3) field.fail('has to be one to three whole numbers');
  return [list[0]!, list[1] ?? 1, list[2] ?? 1];
}

/** The cluster that a kernel requires in its text. */
function requiredCluster(entry: PtxFunction): Dimensions {
  const [x = 1, y = 1, z = 1] = entry.directives.get('reqnctapercluster') ?? [];
  return [x, y, z];
}

function sourceOf(field: Field): Pick<Launch, 'source'> {
  if (field.isMissing) return {};
  const source = field.text();
  if (source !== 'l2' && source !== 'hbm') field.fail('has to be "l2" or "hbm"');
  return { source: source as 'l2' | 'hbm' };
}

function readLaunch(field: Field, entry: PtxFunction, overrides: LaunchOverrides): Launch {
  const grid = dimensions(field.at('grid'), MAX_GRID);
  const block = dimensions(field.at('block'), MAX_THREADS);
  const cluster = dimensions(field.at('cluster'), MAX_CLUSTER, requiredCluster(entry));
  if (block[0] * block[1] * block[2] > MAX_THREADS)
    field.at('block').fail('has more than 1,024 threads');
  if (cluster[0] * cluster[1] * cluster[2] > MAX_CLUSTER)
    field.at('cluster').fail(`has more than ${MAX_CLUSTER} blocks`);
  for (const axis of [0, 1, 2] as const)
    if (grid[axis] % cluster[axis] !== 0) field.at('grid').fail('is not a multiple of the cluster');
  const parameters: LaunchParameters = isRecorded(field)
    ? readRecorded(field, entry, overrides)
    : readWritten(field, entry, overrides);
  readOrigins(field.at('origin'));
  const earlier = earlierBuffers(field, entry);
  const flags = ['programmatic', 'programmaticDependent'].map((name) => field.at(name).flag());
  const isProgrammatic = flags.includes(true);
  const numbers = (name: string): number[] => {
    const list = field.at(name).elements();
    if (list.length > MAX_ANSWERS) field.at(name).fail(`has more than ${MAX_ANSWERS} numbers`);
    return list.map((element) => element.integer(-(2 ** 31), 2 ** 32 - 1));
  };
  return {
    file: field.file,
    grid,
    block,
    cluster,
    isPortable: !isRecorded(field) && !field.at('nonPortableCluster').flag(),
    sharedBytes: field.at('dynamicSharedMemory').integer(0, MAX_SHARED_BYTES, 0),
    parameters: parameters.block.bytes,
    knownParameters: parameters.block.known,
    tensorMaps: parameters.tensorMaps,
    areBoxesSolved: false,
    memory: parameters.memory,
    bounds: parameters.bounds,
    ...(parameters.reached === undefined ? {} : { reached: parameters.reached }),
    ...(parameters.allowed === undefined ? {} : { allowed: parameters.allowed }),
    clusterLaunchControl: numbers('clusterLaunchControl'),
    atomicAnswers: numbers('atomicAnswers'),
    isCooperative: field.at('cooperative').flag(),
    ...(field.at('multiprocessors').isMissing
      ? {}
      : { multiprocessors: field.at('multiprocessors').integer(1, MAX_MULTIPROCESSORS) }),
    registers: field.at('registers').isMissing ? null : field.at('registers').integer(1, 256),
    isProgrammatic,
    ...sourceOf(field.at('source')),
    earlier: isProgrammatic ? earlier : [],
  };
}
