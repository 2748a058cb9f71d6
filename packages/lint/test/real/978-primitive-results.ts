// Helpers that declare a primitive result: a descriptor is a number, an object URL is a string.
import { closeSync, openSync } from 'node:fs';

class Files {
  static open(path: string): number {
    return openSync(path, 'r');
  }
  maybe(path: string): number | undefined {
    return path === '' ? undefined : openSync(path, 'r');
  }
}
async function later(path: string): Promise<number> {
  return openSync(path, 'r');
}
const urlOf = (blob: Blob): string => URL.createObjectURL(blob);

export function fromStatic(early: boolean): void {
  const fd = Files.open('x'); // expect: leak
  if (early) return;
  closeSync(fd);
}
export function fromMethod(early: boolean, files: Files): void {
  const fd = files.maybe('x'); // expect: leak
  if (early || fd === undefined) return;
  closeSync(fd);
}
export async function fromPromise(early: boolean): Promise<void> {
  const fd = await later('x'); // expect: leak
  if (early) return;
  closeSync(fd);
}
export function fromArrow(blob: Blob, early: boolean): void {
  const url = urlOf(blob); // expect: leak
  if (early) return;
  URL.revokeObjectURL(url);
}

// A number or a string that is not the handle.
function sizeOf(path: string): number {
  const fd = openSync(path, 'r');
  try {
    return path.length;
  } finally {
    closeSync(fd);
  }
}
export function size(early: boolean): number {
  const count = sizeOf('x');
  return early ? 0 : count;
}
const open = new Map<string, number>();
function cached(path: string): number {
  let fd = open.get(path);
  if (fd === undefined) {
    fd = openSync(path, 'r');
    open.set(path, fd);
  }
  return fd;
}
export function fromCache(): number {
  return cached('x') + 1;
}
function nameOf(blob: Blob): string {
  const url = URL.createObjectURL(blob);
  URL.revokeObjectURL(url);
  return url.slice(5);
}
export function name(blob: Blob): void {
  console.log(nameOf(blob));
}
