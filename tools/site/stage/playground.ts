// The link that opens a program in the playground: the one place that knows its format.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { writeProgram, type SharedFile } from '../../../packages/poundlock/src/explore/index.ts';
import { textOf } from './repository.ts';

/** Whether the playground is part of this build: without it, no page links to it. */
let isThere = false;
/** The examples that the playground has. */
const examples = new Set<string>();
/** Programs by the mark that stands for their link, until it is written. */
const programs: (readonly SharedFile[])[] = [];

const MARK = /__program-(\d+)__/g;
const NAME = 'kernel.ts';

/** Says where the playground of this build is; `null` for a build without one. */
export function usePlayground(folder: string | null): void {
  isThere = folder !== null;
  examples.clear();
  if (folder === null) return;
  const gallery = JSON.parse(readFileSync(join(folder, 'gallery.json'), 'utf8')) as {
    id: string;
  }[];
  for (const { id } of gallery) examples.add(id);
}

/** The link that opens a program, `null` where there is no playground; see {@link withLinks}. */
export function playgroundLink(program: string): string | null {
  return linkOf([{ name: NAME, text: program }]);
}

/** The link that opens a file of examples/, with the parameters that it is opened with. */
export function exampleLink(
  file: string,
  params: Readonly<Record<string, unknown>> = {},
): string | null {
  const id = file.replace(/^examples\//, '').replace(/\.\w+$/, '');
  if (!examples.has(id)) return null;
  const words = new URLSearchParams({ example: id });
  if (Object.keys(params).length > 0) words.set('params', JSON.stringify(params));
  return `/playground/#${words.toString().replaceAll('&', '&amp;')}`;
}

/** The link that opens files of the repository: the first is the program or its PTX. */
export function filesLink(paths: readonly string[]): string | null {
  return linkOf(paths.map((path) => ({ name: posix.basename(path), text: textOf(path) })));
}

function linkOf(files: readonly SharedFile[]): string | null {
  if (!isThere) return null;
  programs.push(files);
  return `/playground/#program=__program-${programs.length - 1}__`;
}

/** The text with its programs in the links, compressed. */
export async function withLinks(text: string): Promise<string> {
  const marks = [...new Set([...text.matchAll(MARK)].map(([, at = '']) => Number(at)))];
  if (marks.length === 0) return text;
  const words = new Map<number, string>();
  for (const at of marks) words.set(at, await writeProgram(programs[at]!));
  return text.replaceAll(MARK, (_, at: string) => words.get(Number(at))!);
}
