// The small project of the language server's tests.
import { Folder } from './client.ts';

const HANDLE = `/** @mustRelease close | [Symbol.dispose] */
export declare class Handle {
  close(): void;
  use(): void;
  [Symbol.dispose](): void;
}
`;

export const LEAK = `import { Handle } from './handle.js';
export function leak(): void {
  const handle = new Handle();
  handle.use();
}
`;

export const FINE = LEAK.replace('handle.use();', 'handle.use();\n  handle.close();');

/** A folder with a tsconfig.json and the declaration of a handle. */
export function project(): Folder {
  const folder = new Folder();
  const compilerOptions = { target: 'esnext', module: 'nodenext', strict: true };
  folder.write('tsconfig.json', JSON.stringify({ compilerOptions }));
  folder.write('handle.d.ts', HANDLE);
  return folder;
}
