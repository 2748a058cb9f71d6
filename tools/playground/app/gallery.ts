// The examples: their index, and the files of one of them.
import type { SharedFile } from '../../../packages/poundlock/src/explore/index.ts';

/** An example. */
export interface Example {
  /** Its path in examples/, without an extension. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** Paths in examples/, the program or the PTX first. */
  readonly files: readonly string[];
}

/** The example that is open at first. */
export const FIRST_EXAMPLE = 'broken/one-stage';

/** Every example, in the order in which they are listed. */
export async function readGallery(): Promise<readonly Example[]> {
  const response = await fetch('gallery.json');
  return (await response.json()) as readonly Example[];
}

/** The files of an example, by their names in one folder. */
export async function filesOfExample({ files }: Example): Promise<SharedFile[]> {
  const folder = commonFolder(files);
  return Promise.all(
    files.map(async (path) => {
      const response = await fetch(`gallery/${path}`);
      if (!response.ok) throw new Error(`${path} is not there`);
      return { name: path.slice(folder.length), text: await response.text() };
    }),
  );
}

function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (rest.some((path) => !path.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}
