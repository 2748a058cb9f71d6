// What `certify` checks: a kernel, or that of a PTX file, and how its findings are replayed.
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, uselessOption } from '@poundlock/core/internal/base';
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import { fileName, isThere, pathOf, sourceText } from '@poundlock/core/internal/host';
import {
  requireKernel,
  type Kernel,
  type ResolvedParameters,
} from '@poundlock/core/internal/program';
import { isPtx, isSteps, loadPtx, loadSteps, type LaunchChoice } from '../cli/load-ptx.ts';
import { present } from '../cli/present.ts';
import { textsOf } from '../cli/texts.ts';
import { parametersAsText } from '../report/index.ts';
import { LAUNCH, type CertifyOptions, type LaunchOptions } from './options.ts';

/** A kernel, where it is from, and how its findings are shown. */
export interface Subject {
  readonly kernel: Kernel;
  /** The file that the report names. */
  readonly file: string;
  /** A result with files as a user names them, and with the way to replay each finding. */
  readonly present: (result: CheckResult, params: ResolvedParameters) => CheckResult;
}

/** Loads what `certify` was called with. */
export async function subjectOf(
  what: Kernel | string | URL,
  options: CertifyOptions,
  cwd: string,
): Promise<Subject> {
  if (typeof what === 'string' || what instanceof URL) return ofFile(pathTo(what), options, cwd);
  requireKernel(what);
  for (const name of Object.keys(LAUNCH.values) as (keyof LaunchOptions)[]) {
    if (options[name] !== undefined)
      throw uselessOption('certify()', name, 'on a kernel: it is for PTX files');
  }
  return ofKernel(what, options, cwd);
}

function pathTo(file: string | URL): string {
  return file instanceof URL ? fileURLToPath(file) : pathOf(file);
}

async function ofFile(path: string, options: CertifyOptions, cwd: string): Promise<Subject> {
  const { launch, entry, launchIndex: index, assumeBoxes = false } = options;
  const file = fileName(path, cwd);
  const isBuilt = isPtx(path);
  if (!isBuilt && !isSteps(path)) {
    throw new InputError(
      `${file} is no PTX, launch or steps file: pass the kernel that it exports`,
    );
  }
  if (!isThere(resolve(cwd, path))) throw new InputError(`${file}: no such file`);
  const chosen: LaunchChoice = {
    launch: launch === undefined ? undefined : fileName(pathTo(launch), cwd),
    entry,
    index,
    assumeBoxes,
  };
  const kernel = isBuilt ? await loadPtx(path, { cwd }, chosen) : await loadSteps(path, { cwd });
  const name = (one: string) => fileName(one, cwd);
  const texts = textsOf(file, cwd, chosen);
  return {
    kernel,
    file,
    present: (result, params) => ({
      ...present(result, file, params.needed(), name, options.memory, chosen),
      texts,
    }),
  };
}

function ofKernel(kernel: Kernel, options: CertifyOptions, cwd: string): Subject {
  const { position } = kernel;
  const file = position === undefined ? kernel.name : fileName(position.file, cwd);
  const name = (one: string) => fileName(one, cwd);
  const texts = position === undefined ? [] : textsOf(file, cwd);
  const known = texts.length > 0 && { texts };
  if (position !== undefined && isDefaultExport(pathOf(position.file), position.line)) {
    return {
      kernel: { ...kernel, sourceOf: sourceText },
      file,
      present: (result, params) => ({
        ...present(result, file, params.needed(), name, options.memory),
        ...known,
      }),
    };
  }
  // No command can find it: the test itself replays the schedule.
  return {
    kernel: { ...kernel, sourceOf: sourceText },
    file,
    present: (result, params) => {
      const shown = present(result, file, params.needed(), name, options.memory);
      const findings = shown.findings.map((finding) => replayedByTest(finding, params));
      return { ...shown, ...known, findings };
    },
  };
}

/** Whether the kernel of a line is what its module exports by default. */
function isDefaultExport(path: string, line: number): boolean {
  if (!isAbsolute(path) || !isThere(path)) return false;
  const text = readFileSync(path, 'utf8').split('\n')[line - 1] ?? '';
  return /^\s*export default kernel\(/.test(text);
}

function replayedByTest(finding: Finding, params: ResolvedParameters): Finding {
  const { replayToken, also } = finding;
  const command = (token: string, changed: Finding['params'] = {}): string => {
    const values = parametersAsText({ ...params.needed(), ...changed });
    return `certify with ${values === '' ? '' : `${values} and `}{ replay: '${token}' }`;
  };
  return {
    ...finding,
    ...(replayToken !== undefined && { replayCommand: command(replayToken, finding.params) }),
    ...(also !== undefined && {
      also: { ...also, replayCommand: command(also.replayToken, also.params) },
    }),
  };
}
