// Writes a folder as a whole or not at all: beside its place first, then it is moved there.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Why a folder is not written, in a line. */
export class RefusedFolder extends Error {}

/** Writes files to a folder that is empty, or not there yet. */
export function writeFolder(path: string, files: ReadonlyMap<string, string>): void {
  const isThere = existsSync(path);
  if (isThere) requireEmpty(path);
  mkdirSync(dirname(path), { recursive: true });
  const stage = mkdtempSync(join(isThere ? path : dirname(path), '.create-poundlock-'));
  try {
    for (const [name, text] of files) {
      const file = join(stage, ...name.split('/'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    if (isThere) moveInto(path, stage);
    // `mkdtemp` makes a folder for its owner alone.
    else moveTo(path, stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function requireEmpty(path: string): void {
  if (!statSync(path).isDirectory()) throw new RefusedFolder(`${path} is a file`);
  const [first] = readdirSync(path);
  if (first === undefined) return;
  throw new RefusedFolder(`${path} is not empty: it has ${first}; name another folder`);
}

function moveTo(path: string, stage: string): void {
  mkdirSync(path);
  moveInto(path, stage);
}

/** Moves everything, and back what was moved if that ends before. */
function moveInto(path: string, stage: string): void {
  const moved: string[] = [];
  try {
    for (const name of readdirSync(stage)) {
      renameSync(join(stage, name), join(path, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) rmSync(join(path, name), { recursive: true, force: true });
    throw error;
  }
}
