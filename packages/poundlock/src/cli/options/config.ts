// The part `check` of a configuration: what a project takes for granted, and its kernels.
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { InputError, requireOptions } from '@poundlock/core/internal/base';
import { atFile, configFileOf, fileName, type Host } from '@poundlock/core/internal/host';
import { CHECKS, PROJECT_KERNELS, type ProjectChecks } from '../../check/index.ts';
import { withoutTypes } from '../program-source.ts';

/** The part `check` of a configuration, and the folder that its files are relative to. */
export interface Project {
  readonly file: string;
  readonly folder: string;
  readonly checks: ProjectChecks;
}

/**
 * Reads the configuration at or above the current folder. Its text is read and not executed: PTX is
 * data, and checking it runs no code of a project.
 *
 * @returns `null` where there is none, or none with a part `check`.
 * @throws InputError where the text does not say it word for word, or where it is not understood.
 */
export async function readProject({ cwd }: Pick<Host, 'cwd'>): Promise<Project | null> {
  const path = configFileOf(cwd);
  if (path === undefined) return null;
  const file = fileName(path, cwd);
  const text = atFile(file, () => readFileSync(path, 'utf8'));
  const value = basename(path) === 'package.json' ? ofManifest(text) : await ofModule(path, text);
  if (value === undefined) return null;
  requireOptions(`${file}: check`, CHECKS, value as object);
  const checks = value as ProjectChecks;
  for (const [at, kernels] of (checks.kernels ?? []).entries()) {
    const name = `${file}: check.kernels[${at}]`;
    requireOptions(name, PROJECT_KERNELS, kernels);
    if (kernels.files === undefined) throw new InputError(`${name} names no files`);
  }
  return { file, folder: dirname(path), checks };
}

/** `"poundlock": { "check": … }` of a package.json, which is valid JSON: it was looked into. */
function ofManifest(text: string): unknown {
  return (JSON.parse(text) as { poundlock?: { check?: unknown } }).poundlock?.check;
}

async function ofModule(path: string, text: string): Promise<unknown> {
  const { partOf } = await import('../../text/literals.ts');
  const part = partOf(path, /\.m?ts$/.test(path) ? withoutTypes(text) : text, 'check');
  if (part === null) return undefined;
  if ('value' in part) return part.value;
  throw new InputError(`${part.what}: write the part \`check\` as it is, without code`, part.at);
}

const LISTS = ['accept', 'deny'] as const;

/** The words that a configuration has for every check. */
export type CheckConfig = Pick<ProjectChecks, (typeof LISTS)[number] | 'memory'>;

/** What each check of a project takes for granted. */
export async function readCheckConfig(host: Pick<Host, 'cwd'>): Promise<CheckConfig> {
  const { accept, deny, memory } = (await readProject(host))?.checks ?? {};
  return { ...(accept && { accept }), ...(deny && { deny }), ...(memory && { memory }) };
}

/** Words of the command line before those of the configuration, and lists behind them. */
export function withConfig<Words extends CheckConfig>(words: Words, config: CheckConfig): Words {
  const joined = LISTS.flatMap((key) => {
    const all = [...(config[key] ?? []), ...(words[key] ?? [])];
    return all.length === 0 ? [] : [[key, all] as const];
  });
  const memory = words.memory ?? config.memory;
  return { ...words, ...Object.fromEntries(joined), ...(memory && { memory }) };
}
