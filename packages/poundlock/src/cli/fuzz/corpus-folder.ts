// A folder of disagreements: each as data that can be replayed, and as a kernel for `check`.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { fileName, oneLine, systemMessage, writeAtomically } from '@poundlock/core/internal/host';
import type { Disagreement } from '@poundlock/fuzz';
import type { ShownDisagreement } from '../../report/fuzz/index.ts';
import { canonicalJson, hashOf } from '../jobs/job.ts';
import { openFuzz } from './open-fuzz.ts';

/** How many digits of its hash name a program. */
const DIGITS = 12;
const ENTRY = /^\w+-[0-9a-f]{12}\.json$/;

/** A disagreement of the folder. */
export interface Stored {
  /** As the user would name it. */
  readonly file: string;
  readonly disagreement: Disagreement;
}

/** The name of a disagreement: equal programs are one, however they were found. */
export function nameOf({ kind, program }: Disagreement): string {
  return `${kind}-${hashOf(canonicalJson(program)).slice(0, DIGITS)}`;
}

/** The disagreements that files and folders have; folders that are not there have none. */
export async function storedIn(names: readonly string[], cwd: string): Promise<Stored[]> {
  const { readDisagreement } = await openFuzz();
  return names
    .flatMap((name) => filesOf(name, cwd))
    .map((path) => {
      const file = fileName(path, cwd);
      try {
        return { file, disagreement: readDisagreement(readFileSync(path, 'utf8')) };
      } catch (error) {
        const why = error instanceof InputError ? error.message : systemMessage(error);
        throw new InputError(`${file}: ${why}`);
      }
    });
}

/** The disagreements of a folder that need not be there yet. */
export async function storedInFolder(folder: string, cwd: string): Promise<Stored[]> {
  return existsSync(resolve(cwd, folder)) ? storedIn([folder], cwd) : [];
}

function filesOf(name: string, cwd: string): string[] {
  const path = resolve(cwd, name);
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((entry) => ENTRY.test(entry))
    .toSorted()
    .map((entry) => join(path, entry));
}

/** Where disagreements are kept unless another folder is named. */
export const CORPUS = 'fuzz-corpus';

/** Writes a disagreement as data and as a module, and says how it is shown again. */
export async function keep(
  disagreement: Disagreement,
  folder: string,
  cwd: string,
): Promise<ShownDisagreement> {
  const name = nameOf(disagreement);
  const [file, module] = [join(folder, `${name}.json`), join(folder, `${name}.mjs`)];
  try {
    mkdirSync(resolve(cwd, folder), { recursive: true });
  } catch (error) {
    throw new InputError(`--corpus ${folder}: ${systemMessage(error)}`);
  }
  writeAtomically(file, cwd, `${JSON.stringify(disagreement, null, 1)}\n`);
  writeAtomically(module, cwd, await moduleText(disagreement, name));
  const { kind, fault } = disagreement;
  const options = await checkOptions(kind);
  const commands = [`poundlock check ${module} ${options}`, `poundlock fuzz --replay ${file}`];
  return { kind, fault, file, commands };
}

/** A kernel file that needs nothing but the package. */
async function moduleText(disagreement: Disagreement, name: string): Promise<string> {
  const { kind, program, fault } = disagreement;
  return [
    `// ${oneLine(fault)}`,
    `//   poundlock check ${name}.mjs ${await checkOptions(kind)}`,
    `//   poundlock fuzz --replay ${name}.json`,
    `import { kernelOf } from '@poundlock/fuzz';`,
    '',
    `export default kernelOf(${JSON.stringify({ kind, program }, null, 2)});`,
    '',
  ].join('\n');
}

/** What `poundlock check` needs to ask what was asked. */
async function checkOptions(kind: Disagreement['kind']): Promise<string> {
  const { memoryOf } = await openFuzz();
  return `--memory ${memoryOf(kind)}${kind === 'every' ? ' --every n' : ''}`;
}
