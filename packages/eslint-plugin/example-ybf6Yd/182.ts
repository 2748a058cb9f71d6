import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { classicProgram, lintProgram } from 'poundlock/lint';

const file = join(mkdtempSync(join(tmpdir(), 'lint-')), 'leak.ts');
const body = 'const stack = new DisposableStack(); stack.use(null);';
writeFileSync(file, `export function leak() { ${body} }`);
const program = ts.createProgram([file], { target: ts.ScriptTarget.ESNext });
const { findings } = lintProgram(classicProgram(ts, program, [file]));
console.log(findings[0]?.rule); // leak