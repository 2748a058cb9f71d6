// The folder of a kernel: its PTX, and a launch file for each of its launches. Private to the user.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@poundlock/core/internal/host';
import { readableName } from '@poundlock/ptx/internal/text/names';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const MAX_NAME = 48;

/** `NAME-HASH`: the same for the same kernel of the same text. */
export function folderName(kernel: string, ptx: string): string {
  const name = readableName(kernel)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, MAX_NAME);
  const hash = createHash('sha256').update(`${kernel}\0${ptx}`).digest('hex');
  return `${name}-${hash.slice(0, 10)}`;
}

/** Makes a folder that only the user may read. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Writes a file that only the user may read. */
export function writePrivate(path: string, text: string): void {
  replaceFile(path, text, PRIVATE_FILE);
}

/** The file of a launch, counted from 1. */
export function launchFile(folder: string, number: number): string {
  return join(folder, number === 1 ? 'launch.json' : `launch-${number}.json`);
}
