// Collects the kernels that the recorder in Python wrote: launch files beside their PTX already.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { entriesOf, kindOf } from '@poundlock/core/internal/host';
import { parsePtx } from '@poundlock/ptx/internal/text/parse';
import { hasLines, targetOf } from './images/compiled-text.ts';
import { withoutPaths } from './document/private-text.ts';
import { synchronizes } from './document/protocol.ts';
import { matchesKernel } from './glob.ts';
import { folderName, launchFile, privateFolder, writePrivate } from './recorded-folder.ts';
import {
  NO_PROTOCOL,
  type Collected,
  type CollectedKernel,
  type CollectOptions,
} from './collect.ts';

/** The folder of the recorder in Python, in that of a recording. */
export const PYTHON_FOLDER = 'python';

/** What the recorder in Python wrote into a recording. */
export function collectPython(options: CollectOptions): Collected {
  const from = join(options.recording, PYTHON_FOLDER);
  const leftOut = new Map<string, string[]>();
  if (kindOf(from, from) !== 'folder') return { kernels: [], leftOut, notes: [] };
  const entries = entriesOf(from, from).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const kernels = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => collectKernel(join(from, name), options, leftOut));
  const notes = entries
    .filter(({ name }) => /^notes-.*\.txt$/.test(name))
    .flatMap(({ name }) => readFileSync(join(from, name), 'utf8').trim().split('\n'));
  return { kernels, leftOut, notes: [...new Set(notes)] };
}

function collectKernel(
  folder: string,
  { out, sources, all, kernel, launches }: CollectOptions,
  leftOut: Map<string, string[]>,
): CollectedKernel[] {
  const files = readdirSync(folder).filter((name) => /^launch(-\d+)?\.json$/.test(name));
  const documents = files.map((file) => readLaunch(join(folder, file)));
  const name = documents[0]?.kernel;
  if (name === undefined || (kernel !== undefined && !matchesKernel(kernel, name))) return [];
  const leaveOut = (reason: string): CollectedKernel[] => {
    leftOut.set(reason, [...(leftOut.get(reason) ?? []), name]);
    return [];
  };
  const text = withoutPaths(readFileSync(join(folder, 'kernel.ptx'), 'utf8'), sources);
  try {
    if (!all && !synchronizes(parsePtx(text, 'its PTX'), name)) return leaveOut(NO_PROTOCOL);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return leaveOut(error.message);
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  const target = targetOf(text);
  const lines = hasLines(text) ? '.loc' : 'no .loc';
  const ptx = { file: 'kernel.ptx', sha256, target, from: 'Triton', exact: true, lines };
  const written = join(out, folderName(name, sha256));
  privateFolder(written);
  writePrivate(join(written, 'kernel.ptx'), text);
  const chosen = documents.slice(0, launches);
  for (const [index, document] of chosen.entries())
    writePrivate(
      launchFile(written, index + 1),
      `${JSON.stringify({ ...document, ptx }, null, 2)}\n`,
    );
  const origin = 'Triton' as const;
  const about = { text, sha256, origin, isExact: true };
  return [{ folder: written, name, launches: chosen.length, text: about, ran: undefined }];
}

function readLaunch(path: string): { readonly kernel: string } {
  return JSON.parse(readFileSync(path, 'utf8')) as { kernel: string };
}

/** Two parts of one recording. */
export function merged(a: Collected, b: Collected): Collected {
  const reasons = new Set([...a.leftOut.keys(), ...b.leftOut.keys()]);
  const leftOut = [...reasons].map((reason) => {
    const names = [...(a.leftOut.get(reason) ?? []), ...(b.leftOut.get(reason) ?? [])];
    return [reason, [...new Set(names)]] as const;
  });
  return {
    kernels: [...a.kernels, ...b.kernels],
    leftOut: new Map(leftOut),
    notes: [...a.notes, ...b.notes],
  };
}
