// A released handle that is passed to a function which needs it: with its own methods it is a use, too.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

declare const device: GPUDevice;
declare const pass: GPURenderPassEncoder;
declare const context: CanvasRenderingContext2D;

export function read(path: string): number {
  const fd = openSync(path, 'r');
  closeSync(fd);
  return readSync(fd, Buffer.alloc(1)); // expect: use-after-release
}
export function size(path: string): number { // expect: ok
  const fd = openSync(path, 'r');
  try {
    return fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
}
export function later(path: string): () => number {
  const fd = openSync(path, 'r');
  closeSync(fd);
  return () => readSync(fd, Buffer.alloc(1)); // expect: use-after-release
}
export function reopened(path: string): void { // expect: ok
  let fd = openSync(path, 'w');
  closeSync(fd);
  fd = openSync(path, 'w');
  try {
    writeSync(fd, 'x');
  } finally {
    closeSync(fd);
  }
}
export function either(path: string, isLast: boolean): void {
  const fd = openSync(path, 'w'); // expect: leak [throw:call]
  if (isLast) closeSync(fd);
  writeSync(fd, 'x'); // expect: use-after-release
  if (!isLast) closeSync(fd);
}
export function named(path: string): string { // expect: ok
  const fd = openSync(path, 'r');
  closeSync(fd);
  return `descriptor ${fd}`;
}
export async function drawn(blob: Blob): Promise<void> {
  const bitmap = await createImageBitmap(blob);
  bitmap.close();
  context.drawImage(bitmap, 0, 0); // expect: use-after-release
}
export async function drawnFirst(blob: Blob): Promise<void> { // expect: ok
  const bitmap = await createImageBitmap(blob);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
}
export function vertices(size: number): void {
  const buffer = device.createBuffer({ size, usage: 32 });
  buffer.destroy();
  pass.setVertexBuffer(0, buffer); // expect: use-after-release
}
