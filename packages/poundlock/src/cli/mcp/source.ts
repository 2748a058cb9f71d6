// Where the kernel of a call is: texts go to a folder of their own, files stay in the server's.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { atFile } from '@poundlock/core/internal/host';
import type { SourceInput } from './schema.ts';

/** The kernel of a call as words of the command line, and the folder that they are for. */
export interface PlacedSource {
  readonly cwd: string;
  readonly words: readonly string[];
  /** Removes what was written. */
  readonly remove: () => void;
}

/** Places the one kernel that a call names; `root` is the folder that its files are in. */
export function placeSource(input: SourceInput, root: string): PlacedSource {
  const { program, ptx, file, launch, entry } = input;
  const named = [program, ptx, file].filter((one) => one !== undefined);
  if (named.length !== 1) throw new InputError('pass one of program, ptx and file');
  const which = entry === undefined ? [] : ['--entry', entry];
  if (file !== undefined) {
    if (typeof launch === 'object') throw new InputError('the launch of a file is a file, too');
    const beside = launch === undefined ? [] : ['--launch', inside(launch, root)];
    return { cwd: root, words: [inside(file, root), ...beside, ...which], remove: () => undefined };
  }
  if (ptx === undefined && launch !== undefined) throw new InputError('launch is passed with PTX');
  if (program !== undefined) {
    return placeTexts([{ name: 'kernel.ts', text: program }], ['kernel.ts', ...which]);
  }
  if (launch === undefined)
    return placeTexts([{ name: 'kernel.ptx', text: ptx! }], ['kernel.ptx', ...which]);
  const texts = [
    { name: 'kernel.ptx', text: ptx! },
    { name: 'launch.json', text: launchOfText(launch) },
  ];
  return placeTexts(texts, ['kernel.ptx', '--launch', 'launch.json', ...which]);
}

/** A launch whose PTX is the text beside it, whatever file it was a launch of. */
function launchOfText(launch: string | object): string {
  const text = typeof launch === 'string' ? launch : JSON.stringify(launch);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The check says where it is wrong.
    return text;
  }
  if (typeof value !== 'object' || value === null || !('ptx' in value)) return text;
  return JSON.stringify({ ...value, ptx: undefined });
}

/** Writes texts to a new folder, or leaves none. */
function placeTexts(
  texts: readonly { readonly name: string; readonly text: string }[],
  words: readonly string[],
): PlacedSource {
  const shown = 'the folder for temporary files';
  const cwd = atFile(shown, () => realpathSync(mkdtempSync(join(tmpdir(), 'poundlock-mcp-'))));
  const remove = (): void => rmSync(cwd, { recursive: true, force: true });
  try {
    for (const { name, text } of texts) atFile(shown, () => writeFileSync(join(cwd, name), text));
  } catch (error) {
    remove();
    throw error;
  }
  return { cwd, words, remove };
}

/** A file of the folder, relative to it; links that lead out of it are refused, too. */
function inside(file: string, root: string): string {
  const path = realpathOf(resolve(root, file), file);
  const name = relative(root, path);
  if (name === '' || name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name)) {
    throw new InputError(`${file} is not in the folder of the server`);
  }
  return name.startsWith('-') ? `.${sep}${name}` : name;
}

function realpathOf(path: string, shown: string): string {
  return atFile(shown, () => realpathSync(path));
}
