// The link that opens a program in the playground: the one place that knows its format.
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exists, ROOT, textOf } from './repository.ts';

/** A file of a program, by its path in the program's folder. */
export interface SharedFile {
  readonly name: string;
  readonly text: string;
}

/** Whether the playground is part of this build: without it, no page links to it. */
let isThere = false;
/** Programs by the mark that stands for their link, until it is written. */
const programs: (readonly SharedFile[])[] = [];

const MARK = /__program-(\d+)__/g;
const NAME = 'kernel.ts';
const RELATIVE_IMPORT = /from '(\.[^']+)'/g;

export function usePlayground(isBuilt: boolean): void {
  isThere = isBuilt;
}

/** The link that opens a program, `null` where there is no playground; see {@link withLinks}. */
export function playgroundLink(program: string): string | null {
  return linkOf([{ name: NAME, text: program }]);
}

/** The link that opens files of the repository: the first is the program. */
export function filesLink(files: readonly SharedFile[]): string | null {
  return linkOf(files);
}

function linkOf(files: readonly SharedFile[]): string | null {
  if (!isThere) return null;
  programs.push(files);
  return `/playground/#program=__program-${programs.length - 1}__`;
}

/** A program of the repository with the modules that it imports, by their paths in one folder. */
export function programFiles(path: string): SharedFile[] {
  const found = new Map<string, string>();
  const add = (file: string): void => {
    if (found.has(file)) return;
    const text = textOf(file);
    found.set(file, text);
    for (const [, to = ''] of text.matchAll(RELATIVE_IMPORT)) {
      const next = posix.normalize(posix.join(posix.dirname(file), to));
      if (exists(next)) add(next);
    }
  };
  add(path);
  const paths = [...found.keys()];
  const folder = commonFolder(paths);
  return paths.map((file) => ({ name: file.slice(folder.length), text: found.get(file)! }));
}

function commonFolder(paths: readonly string[]): string {
  let folder = `${posix.dirname(paths[0]!)}/`;
  while (paths.some((path) => !path.startsWith(folder))) folder = `${posix.dirname(folder)}/`;
  return folder;
}

/** The text with its programs in the links, compressed. */
export async function withLinks(text: string): Promise<string> {
  const marks = [...new Set([...text.matchAll(MARK)].map(([, at = '']) => Number(at)))];
  if (marks.length === 0) return text;
  const url = pathToFileURL(join(ROOT, 'packages/poundlock/src/explore/link.ts')).href;
  const { writeProgram } = (await import(url)) as {
    writeProgram: (files: readonly SharedFile[]) => Promise<string>;
  };
  const words = new Map<number, string>();
  for (const at of marks) words.set(at, await writeProgram(programs[at]!));
  return text.replaceAll(MARK, (_, at: string) => words.get(Number(at))!);
}
