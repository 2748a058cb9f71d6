// A folder of results: one file for each job, by its hash. What is there is not run again.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { InputError } from '@poundlock/core/internal/base';
import { systemMessage } from '@poundlock/core/internal/host';
import type { ResultDocument } from './outcome.ts';
import { PLAN_SCHEMA, type Plan } from './plan.ts';

const RESULT = /^[0-9a-f]{64}\.json$/;
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
    this.#attempt(() => mkdirSync(this.path, { recursive: true }));
  }

  /** The result of a job; `null` where there is none, or none that can be read. */
  read(hash: string): ResultDocument | null {
    const path = join(this.path, `${hash}.json`);
    if (!existsSync(path)) return null;
    return documentOf(readFileSync(path, 'utf8'), hash);
  }

  /** Writes beside its place, then renames: a result is complete, or not there. */
  write(hash: string, text: string): void {
    this.#replace(`${hash}.json`, `${text}\n`);
  }

  /** Writes which jobs a command consists of, so that `merge` can put its parts together. */
  writePlan(plan: Plan, hash: string): void {
    this.#replace(`plan-${hash.slice(0, 12)}.json`, `${JSON.stringify(plan)}\n`);
  }

  /** The plans of the folder, by their text. */
  plans(): string[] {
    return this.#attempt(() => readdirSync(this.path))
      .filter((name) => PLAN.test(name))
      .toSorted()
      .map((name) => readFileSync(join(this.path, name), 'utf8'));
  }

  /** The hashes of the results that are there. */
  hashes(): string[] {
    const names = this.#attempt(() => readdirSync(this.path));
    return names.filter((name) => RESULT.test(name)).map((name) => name.slice(0, -5));
  }

  #replace(name: string, text: string): void {
    const draft = join(this.path, `.${name}.${process.pid}.tmp`);
    this.#attempt(() => {
      writeFileSync(draft, text);
      renameSync(draft, join(this.path, name));
    });
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new InputError(`${this.#shown}: ${systemMessage(error)}`);
    }
  }
}

/** A result as it was written; `null` where the text is none, or that of another job. */
function documentOf(text: string, hash: string): ResultDocument | null {
  try {
    const document = JSON.parse(text) as Partial<ResultDocument>;
    const isResult = document.schema === 'poundlock/result@1' && document.hash === hash;
    return isResult && document.outcome !== undefined ? (document as ResultDocument) : null;
  } catch {
    return null;
  }
}

/** A plan as it was written. */
export function readPlan(text: string): Plan | null {
  try {
    const plan = JSON.parse(text) as Partial<Plan>;
    return plan.schema === PLAN_SCHEMA ? (plan as Plan) : null;
  } catch {
    return null;
  }
}
