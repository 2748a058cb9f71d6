// `record --no-gpu`: the environment in which a command finds a stand-in driver.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { chipOf, compileDriver, compileLibrary, PYTHON_FOLDER } from '../record/index.ts';
import { recordedEnvironment, thisMachine, type LibraryOptions } from './recording-environment.ts';

/** The GPU that is stood in for unless one is named. */
export const USUAL_GPU = 'sm_90';

/** What a recording without a GPU says at its end. */
export const NOTHING_RAN =
  'nothing was executed: the results that the command saw are zeros, or what it left in memory';

const HOOK = fileURLToPath(new URL('../../native/python/', import.meta.url));
/** Functions that the driver lacks, one a line. */
const LACKING = 'lacking.txt';

/** The environment, and why programs of the driver are not recorded, if they are not. */
export interface WithoutGpu {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly notes: readonly string[];
}

/** The environment of a command that is recorded without a GPU. */
export function environmentWithoutGpu(
  gpu: string,
  settings: Omit<LibraryOptions, 'library'>,
  host: Host,
): WithoutGpu {
  const chip = chipOf(gpu);
  const python = join(settings.folder, PYTHON_FOLDER);
  mkdirSync(python, { mode: 0o700 });
  const env = {
    ...host.env,
    PYTHONPATH: joined(HOOK, host.env['PYTHONPATH']),
    POUNDLOCK_RECORD_PYTHON: python,
    POUNDLOCK_RECORD_PYTHON_LAUNCHES: String(settings.launches),
    POUNDLOCK_RECORD_GPU: chip.name,
  };
  const machine = thisMachine(host.env);
  try {
    const library = compileLibrary(machine);
    const driver = dirname(compileDriver(machine));
    const watched = {
      ...recordedEnvironment(env, { ...settings, library }),
      LD_LIBRARY_PATH: joined(driver, host.env['LD_LIBRARY_PATH']),
      POUNDLOCK_DRIVER: chip.numbers,
      POUNDLOCK_DRIVER_LOG: join(settings.folder, LACKING),
    };
    return { env: watched, notes: [] };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Triton needs no driver: what it launches is recorded in Python.
    return { env, notes: [`only kernels of Triton are recorded: ${error.message}`] };
  }
}

function joined(path: string, before: string | undefined): string {
  return before === undefined || before === '' ? path : `${path}:${before}`;
}

/** What the CUDA runtime asks a driver for first: tables that no documentation describes. */
const OF_RUNTIME = 'cuGetExportTable';
const INSTEAD =
  'the CUDA runtime of the command needs a real driver: check its .cu, or the file itself with ' +
  '`poundlock check`, which has the PTX';

/** What the stand-in driver lacks, as far as the command called it. */
export function lackingNotes(folder: string): string[] {
  const file = join(folder, LACKING);
  if (!existsSync(file)) return [];
  const names = [...new Set(readFileSync(file, 'utf8').trim().split('\n'))];
  const lacking = `the stand-in driver does not have ${names.join(', ')}, which the command called`;
  return names.includes(OF_RUNTIME) ? [lacking, INSTEAD] : [lacking];
}
