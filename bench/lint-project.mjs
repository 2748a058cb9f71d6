// Projects of TypeScript for the benchmarks of `lint`: 1,200 modules that import one another in a
// ring, about 120,000 lines, some of which handle resources.
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULES = 1200;

function plainModule(index) {
  const lines = [`import { shape${(index + 1) % MODULES} } from './m${(index + 1) % MODULES}.js';`];
  lines.push(`export interface Shape${index} { id: number; name: string; tags: string[] }`);
  lines.push(`export function shape${index}(id: number): Shape${index} {`);
  lines.push('  return { id, name: String(id), tags: [] };', '}');
  for (let each = 0; each < 10; each++) {
    lines.push(`export function step${each}(items: readonly Shape${index}[]): number {`);
    lines.push('  let sum = 0;', '  for (const { id, tags } of items) {');
    lines.push('    if (id % 2 === 0) sum += tags.length;', '    else sum -= id;', '  }');
    lines.push(`  return sum + shape${(index + 1) % MODULES}(sum).tags.length;`, '}', '');
  }
  return lines.join('\n');
}

function handlingModule(index) {
  const functions = Array.from(
    { length: 6 },
    (_, each) => `
export async function read${each}(path: string): Promise<number> {
  const file = await open(path);
  try {
    let sum = 0;
    for (let at = 0; at < ${each + 2}; at++) {
      const part = await file.read(at);
      if (part < 0) break;
      sum += part;
    }
    return sum;
  } finally {
    await file.close();
  }
}
`,
  );
  return `import { open } from './files.js';\n${functions.join('')}\n${plainModule(index)}`;
}

const FILES = `/** @mustRelease close */
export declare class File { read(at: number): Promise<number>; close(): Promise<void> }
export declare function open(path: string): Promise<File>;
`;

/** A project in a new directory, one module in `every` of which handles resources; 0: none does. */
export function generated(every = 10) {
  const root = mkdtempSync(join(tmpdir(), 'poundlock-bench-lint-'));
  const compilerOptions = { strict: true, target: 'esnext', module: 'nodenext' };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  mkdirSync(join(root, 'src'));
  if (every > 0) writeFileSync(join(root, 'src', 'files.d.ts'), FILES);
  for (let index = 0; index < MODULES; index++) {
    const isHandling = every > 0 && index % every === 0;
    const text = isHandling ? handlingModule(index) : plainModule(index);
    writeFileSync(join(root, 'src', `m${index}.ts`), text);
  }
  return root;
}

/** The sources below a directory, without declarations and packages. */
export function sourcesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .filter(({ parentPath }) => !parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => join(parentPath, name));
}
