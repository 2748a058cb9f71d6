// A folder of results: one file for each job, by its hash. What is there is not run again.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { atFile, entriesOf, kindOf, readText, replaceFile } from '@poundlock/core/internal/host';
import type { JobVerb } from './job.ts';
import type { ResultDocument } from './outcome.ts';
import { PLAN_SCHEMA, planHash, type Plan } from './plan.ts';

const PLAN = /^plan-[0-9a-f]{12}\.json$/;

/** Reads and writes the results of a folder. */
export class ResultsFolder {
  readonly path: string;
  readonly #shown: string;

  constructor(folder: string, cwd: string) {
    this.path = resolve(cwd, folder);
    this.#shown = folder;
  }

  /** Makes the folder. */
  create(): void {
    atFile(this.#shown, () => mkdirSync(this.path, { recursive: true }));
  }

  /** The result of a job; `null` where there is none, or none that can be read. */
  read(hash: string): ResultDocument | null {
    const path = join(this.path, `${hash}.json`);
    if (kindOf(path, this.#shown) === null) return null;
    return documentOf(readText(path, this.#shown), hash);
  }

  /** Writes beside its place, then renames: a result is complete, or not there. */
  write(hash: string, text: string): void {
    this.#replace(`${hash}.json`, `${text}\n`);
  }

  /** Writes which jobs a command consists of, so that `merge` can put its parts together. */
  writePlan(plan: Plan, hash: string): void {
    this.#replace(`${planName(hash)}.json`, `${JSON.stringify(plan)}\n`);
  }

  /** The plans of the folder; one that was changed or cut is not what its name says. */
  plans(): Plan[] {
    const names = entriesOf(this.path, this.#shown).map(({ name }) => name);
    const plans = names.filter((name) => PLAN.test(name));
    return plans.toSorted().flatMap((name) => {
      const text = readText(join(this.path, name), join(this.#shown, name));
      const plan = parsed(text) as Plan | null;
      if (plan === null || !name.startsWith(planName(planHash(plan))))
        throw new InputError(
          `${join(this.#shown, name)}: was changed or cut: run its command again`,
        );
      return plan.schema === PLAN_SCHEMA ? [plan] : [];
    });
  }

  #replace(name: string, text: string): void {
    atFile(this.#shown, () => replaceFile(join(this.path, name), text));
  }
}

/** A plan is named by its hash. */
function planName(hash: string): string {
  return `plan-${hash.slice(0, 12)}`;
}

/** A result as it was written; `null` where the text is none, or that of another job. */
function documentOf(text: string, hash: string): ResultDocument | null {
  const document = parsed(text) as Partial<ResultDocument> | null;
  const isResult = document?.schema === 'poundlock/result@1' && document.hash === hash;
  return isResult && hasOutcome(document as Read) ? (document as ResultDocument) : null;
}

/** What every reader of a result takes for granted, of any verb. */
interface Read {
  readonly job?: { readonly verb?: JobVerb };
  readonly outcome?: {
    readonly failed?: { readonly error?: unknown };
    readonly ok?: {
      readonly result?: { readonly findings?: unknown };
      readonly totalCycles?: unknown;
      readonly limits?: unknown;
      readonly proposals?: unknown;
    };
  };
}

function hasOutcome(document: Read): boolean {
  const { failed, ok } = document.outcome ?? {};
  if (typeof failed?.error === 'string') return true;
  switch (document.job?.verb) {
    case 'check':
      return Array.isArray(ok?.result?.findings);
    case 'simulate':
      return typeof ok?.totalCycles === 'number' && Array.isArray(ok.limits);
    case 'advise':
      return typeof ok?.totalCycles === 'number' && Array.isArray(ok.proposals);
    case undefined:
      return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
