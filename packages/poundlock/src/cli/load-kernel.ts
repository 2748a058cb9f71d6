// Loads the kernel of a file.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '@poundlock/core/internal/base';
import { kernelOf, type Kernel } from '@poundlock/core/internal/program';
import { kindOf, sourceText, type Host } from '@poundlock/core/internal/host';
import { importFailure } from './import-failure.ts';
import { chosenLaunch, isInput, isPtx, isSteps, loadPtx, loadSteps } from './load-ptx.ts';
import { prepareForPrograms } from './own-package.ts';
import { kernelOfPipe, topologyIn } from './pipe-kernel.ts';
import { withSource } from './program-source.ts';

function mustBeFile(path: string): void {
  const kind = kindOf(path, null);
  if (kind === null) throw new InputError('no such file');
  if (kind === 'folder') throw new InputError('is a directory, not a program file');
  if (!isPtx(path) && !isSteps(path) && !/\.[cm]?[jt]s$/.test(path))
    throw new InputError('is no TypeScript or JavaScript module, no PTX and no steps file');
}

/** Imports a module; a top-level `await` that never ends is an error too. */
async function importModule(url: string, host: Host): Promise<Record<string, unknown>> {
  const stuck = Promise.withResolvers<never>();
  const stop = host.onIdle(() => stuck.reject(new InputError('never finishes loading')));
  try {
    return await Promise.race([import(url), stuck.promise]);
  } catch (error) {
    throw importFailure(error);
  } finally {
    stop();
  }
}

/**
 * Loads the kernel that `file` exports by default, or that a PTX file holds, or that of the pipe
 * that `file` describes. Throws an {@link InputError} with the reason, and with its position if
 * there is one.
 */
export async function loadKernel(file: string, host: Host, timeoutMs?: number): Promise<Kernel> {
  const path = resolve(host.cwd, file);
  const isInferred = chosenLaunch().infer !== undefined && isInput(file);
  if (!isInferred) mustBeFile(path);
  if (isPtx(path) || isInferred) return host.guarded(file, () => loadPtx(file, host), timeoutMs);
  if (isSteps(path)) return host.guarded(file, () => loadSteps(file, host), timeoutMs);
  prepareForPrograms();
  const kernel = await importKernel(file, pathToFileURL(path).href, host, timeoutMs);
  // The text that describes a pipe is not that of its roles.
  return kernel.sourceOf === undefined ? kernel : withSource(kernel, path);
}

/** Loads it as another module: what the first one has assigned to its variables is not there. */
export async function loadKernelAgain(
  file: string,
  host: Host,
  timeoutMs?: number,
): Promise<Kernel> {
  const url = `${pathToFileURL(resolve(host.cwd, file)).href}?again`;
  return importKernel(file, url, host, timeoutMs);
}

async function importKernel(
  file: string,
  url: string,
  host: Host,
  timeoutMs: number | undefined,
): Promise<Kernel> {
  const module = await host.guarded(file, () => importModule(url, host), timeoutMs);
  const topology = topologyIn(module);
  if (topology !== undefined) return kernelOfPipe(topology);
  return { ...kernelOf(module), sourceOf: sourceText };
}
