// A launch for a kernel that has no launch file: the one that `poundlock launch` writes.
import { dirname, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import type { Host } from '@poundlock/core/internal/host';
import { inferredKernels, isWithoutLaunch } from './built-kernels.ts';
import type { InferredLaunch } from './load-ptx.ts';

/** The name of such a launch in messages. */
const INFERRED = 'inferred';

/** The launches of this process: they are asked for more than once. */
const known = new Map<string, Promise<InferredLaunch>>();

/**
 * The text of a kernel and the launch that is inferred for it; `null` where there is a launch file.
 *
 * @throws InputError where the input has no kernel, or several.
 */
export async function inferredLaunch(file: string, host: Host): Promise<InferredLaunch | null> {
  if (!isWithoutLaunch(file, host)) return null;
  const path = resolve(host.cwd, file);
  const found = known.get(path) ?? infer(file, host);
  known.set(path, found);
  return found;
}

async function infer(file: string, host: Host): Promise<InferredLaunch> {
  const kernels = await inferredKernels(file, host);
  const [first, second] = kernels;
  if (second !== undefined) {
    const list = kernels.map(({ name }) => name).join(', ');
    throw new InputError(`several kernels: choose one of ${list} with --entry`);
  }
  const { subject } = first!;
  const { writtenLaunch, launchParts } = await import('../launches/index.ts');
  const clock = { now: host.cpuNow ?? host.now, pause: host.pause };
  const document = await writtenLaunch(subject, null, clock);
  const parts = launchParts(document).join(', ');
  host.stderr.write(
    `poundlock: ${file} has no launch file: ${parts} (others: --block, --param, --launch)\n`,
  );
  return {
    ptx: subject.ptx,
    launch: { file: INFERRED, text: JSON.stringify(document) },
    entry: subject.skeleton.entry.name,
    folder: dirname(resolve(host.cwd, file)),
  };
}
