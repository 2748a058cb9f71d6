// Reads the results of several folders that are parts of one command.
import { dirname, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { kindOf } from '@poundlock/core/internal/host';
import type { ResultDocument } from './outcome.ts';
import { planHash, type Plan } from './plan.ts';
import { ResultsFolder } from './results-folder.ts';

/** All results of a plan that are there. */
export interface MergedResults {
  readonly plan: { readonly plan: Plan; readonly hash: string };
  readonly documents: ReadonlyMap<string, ResultDocument>;
  readonly missing: number;
}

/** Folders, and the folders of files: `results/*` names either. */
function foldersOf(names: readonly string[], cwd: string): ResultsFolder[] {
  const folders = names.map((name) => {
    const kind = kindOf(resolve(cwd, name), name);
    if (kind === null) throw new InputError(`${name}: no such file or directory`);
    return kind === 'folder' ? name : dirname(name);
  });
  return [...new Set(folders)].map((folder) => new ResultsFolder(folder, cwd));
}

/**
 * The results of one plan from several folders.
 *
 * @throws InputError where there is no plan, or several.
 */
export function mergedResults(names: readonly string[], cwd: string): MergedResults {
  const folders = foldersOf(names, cwd);
  const plans = new Map<string, Plan>();
  for (const folder of folders) {
    for (const plan of folder.plans()) plans.set(planHash(plan), plan);
  }
  if (plans.size === 0) throw new InputError('no folder has a plan: was it named by --results?');
  if (plans.size > 1) {
    const what = `parts of ${plans.size} commands, or of different versions`;
    throw new InputError(`the folders are ${what}: merge one at a time`);
  }
  const [[hash, plan]] = [...plans] as [[string, Plan]];
  const documents = new Map<string, ResultDocument>();
  const wanted = jobsOf(plan);
  for (const job of wanted) {
    const found = folders.map((folder) => folder.read(job)).find((each) => each !== null);
    if (found !== undefined && found !== null) documents.set(job, found);
  }
  return { plan: { plan, hash }, documents, missing: wanted.size - documents.size };
}

/** The hashes of all jobs of a plan. */
function jobsOf(plan: Plan): ReadonlySet<string> {
  if (plan.kind === 'check')
    return new Set(plan.checks.flatMap((check) => ('job' in check ? [check.job] : [])));
  return new Set(plan.rows.flatMap(({ jobs }) => Object.values(jobs)));
}
