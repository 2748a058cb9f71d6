import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintProgram } from 'poundlock/lint';
import { TypeScriptSeven } from '@poundlock/lint/typescript7';

const folder = mkdtempSync(join(tmpdir(), 'lint-'));
const file = join(folder, 'empty.ts');
writeFileSync(file, 'export {};');
const compiler = new TypeScriptSeven(folder);
const results = compiler.open([file]).map((program) => lintProgram(program));
console.log(results[0]?.findings.length); // 0
compiler.close();