// Loads the package that draws random programs: it is optional, because it depends on fast-check.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Fuzz from '@poundlock/fuzz';
import { InputError } from '@poundlock/core/internal/base';
import { programOf, type JobProgram } from '../jobs/job.ts';
import { hashOfFolders } from '../jobs/own-code.ts';

const PACKAGE = '@poundlock/fuzz';

/** The package. */
export async function openFuzz(): Promise<typeof Fuzz> {
  try {
    return await import('@poundlock/fuzz');
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !String(error).includes(`'${PACKAGE}'`)) throw error;
    throw new InputError(
      `\`poundlock fuzz\` needs the package ${PACKAGE}: npm install --save-dev ${PACKAGE}`,
    );
  }
}

let known: JobProgram | undefined;

/** What stands for all programs that this version draws: its code, and that of fast-check. */
export async function drawnPrograms(): Promise<JobProgram> {
  await openFuzz();
  known ??= programOf({ kind: 'drawn', code: codeHash() });
  return known;
}

function codeHash(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve(PACKAGE)));
  // It names the one version of fast-check that it draws with.
  const manifest = readFileSync(join(folder, '..', 'package.json'), 'utf8');
  return hashOfFolders([folder], [manifest]);
}
