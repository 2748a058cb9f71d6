// The published packages as tarballs, for all tests that install them.
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

/** What npm reports of a package that it packed. */
export interface Tarball {
  readonly name: string;
  readonly file: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

interface Published {
  readonly folder: string;
  readonly manifest: { readonly files: readonly string[] };
}

const ROOT = join(import.meta.dirname, '..', '..');
const script = (name: string): string => join(ROOT, 'scripts', name);
const { packAll } = (await import(script('pack.mjs'))) as {
  packAll: (folder: string) => Tarball[];
};
const { publishedOf } = (await import(script('workspaces.mjs'))) as {
  publishedOf: (root: string) => Published[];
};

const CACHE = join(ROOT, 'node_modules', '.cache', 'poundlock-packed');
const INDEX = 'tarballs.json';

/** The tarballs of all packages; they are packed once for each state of the files in them. */
export function packed(): readonly Tarball[] {
  const folder = join(CACHE, hashOfPackages());
  if (!existsSync(folder)) packTo(folder);
  const tarballs = JSON.parse(readFileSync(join(folder, INDEX), 'utf8')) as Tarball[];
  return tarballs.map((tarball) => ({ ...tarball, file: join(folder, tarball.file) }));
}

/** The path of the tarball of a package. */
export function packedFile(name: string): string {
  return packed().find((tarball) => tarball.name === name)!.file;
}

/** Appears as a whole: several processes may pack at the same time, and the first one wins. */
function packTo(folder: string): void {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  try {
    const tarballs = packAll(draft).map((tarball) => ({
      ...tarball,
      file: basename(tarball.file),
    }));
    writeFileSync(join(draft, INDEX), JSON.stringify(tarballs));
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function hashOfPackages(): string {
  const hash = createHash('sha256');
  for (const path of [...publishedOf(ROOT).flatMap(pathsOf), 'scripts/pack.mjs'])
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

/** All files that npm can pack of a package, as paths from the root. */
function pathsOf({ folder, manifest }: Published): string[] {
  const patterns = [...manifest.files.map((path) => `${path}/**`), '*.md', 'LICENSE', '*.json'];
  return globSync(
    patterns.map((pattern) => `${folder}/${pattern}`),
    { cwd: ROOT },
  )
    .filter((path) => statSync(join(ROOT, path)).isFile())
    .toSorted();
}
