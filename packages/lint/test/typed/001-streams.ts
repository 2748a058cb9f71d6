/// <reference types="node" />
// Readers and streams where the types of Node are known: what a call returns is not always its own.
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

export function progress(
  child: { stderr: NodeJS.ReadableStream },
  each: (line: string) => void,
): void {
  const lines = createInterface({ input: child.stderr }); // expect: ok
  lines.on('line', each);
}
export async function named(answer: () => Promise<string>): Promise<string> {
  const lines = createInterface({ input: process.stdin }); // expect: leak
  const text = await answer();
  lines.close();
  return text;
}
export function piped(source: NodeJS.ReadableStream, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const file = createWriteStream(path); // expect: ok
    source.pipe(file).on('error', reject);
    file.on('finish', () => {
      file.close();
      resolve();
    });
  });
}
