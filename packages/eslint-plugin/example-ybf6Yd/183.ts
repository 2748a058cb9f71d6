import ts from 'typescript';
import { classicProgram } from 'poundlock/lint';

const file = '/src/main.ts';
const program = ts.createProgram([file], {});
console.log(classicProgram(ts, program, [file]).requested); // ["/src/main.ts"]