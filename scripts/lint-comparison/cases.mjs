// Rewrites the labeled cases for other tools: their prelude becomes a module that each imports,
// because some tools ignore global declarations. Line numbers do not change.
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DECLARATION =
  /\b(?:declare (?:abstract )?(?:class|function|const|let)|interface|type) ([\w$]+)(?=[\s<(:={])/g;

/** A directory with the cases of another as modules. */
export function casesAsModules(directory) {
  const root = mkdtempSync(join(tmpdir(), 'poundlock-comparison-'));
  cpSync(join(directory, 'tsconfig.json'), join(root, 'tsconfig.json'));
  const prelude = readFileSync(join(directory, 'prelude.d.ts'), 'utf8');
  const code = prelude.replaceAll(/\/\/.*/g, '');
  const names = new Set([...code.matchAll(DECLARATION)].map(([, name]) => name));
  const exported = prelude
    .replaceAll(/\b(?=declare (?:abstract )?(?:class|function|const|let) )/g, 'export ')
    .replaceAll(/^(?=(?:interface|type) )/gm, 'export ');
  writeFileSync(join(root, 'prelude.d.ts'), exported);
  for (const name of readdirSync(directory).filter((each) => /^\d{3}.*\.ts$/.test(each))) {
    const text = readFileSync(join(directory, name), 'utf8');
    const used = [...names].filter((each) =>
      new RegExp(`(?<![\\w$.])${each}(?![\\w$])`).test(text),
    );
    const imports =
      used.length === 0 ? 'export {};' : `import { ${used.join(', ')} } from './prelude';`;
    writeFileSync(join(root, name), text.replace(/^\/\/\/ <reference.*$/m, imports));
  }
  return root;
}
