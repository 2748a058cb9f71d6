// Reads a PTX text: version, target, variables and functions.
import { body } from './body.ts';
import { parameters, variables } from './declarations.ts';
import { sourceFile } from './locations.ts';
import type { Parameter, PtxFunction, PtxModule, Space, Variable } from './module.ts';
import { PtxError } from './ptx-error.ts';
import { Reader } from './reader.ts';
import { tokenize } from './tokens.ts';

const SPACES: Readonly<Record<string, Space>> = {
  '.shared': 'shared',
  '.global': 'global',
  '.const': 'const',
};
const LINKAGE = new Set(['.visible', '.extern', '.weak', '.common', '.unified', ';']);

/**
 * Reads a PTX text as compilers print it.
 *
 * @param text The PTX text.
 * @param file Its name, for messages and findings.
 * @throws PtxError (an InputError) with line and column if it is not PTX.
 *
 * @example
 * import { parsePtx } from 'poundlock/ptx';
 *
 * const text = `.version 8.0
 * .target sm_90a
 * .address_size 64
 * .visible .entry meet() { bar.sync 0; ret; }`;
 * console.log(parsePtx(text).target); // sm_90a
 */
export function parsePtx(text: string, file = 'kernel.ptx'): PtxModule {
  const reader = new Reader(tokenize(text, file));
  const files = new Map<number, string>();
  const moduleVariables: Variable[] = [];
  const functions = new Map<string, PtxFunction>();
  let version = '';
  let target = '';
  while (!reader.isAtEnd()) {
    if (reader.isLineDirective()) {
      const line = reader.take();
      const [word, rest = ''] = line.trim().split(/\s+(.*)/s);
      if (word === '.version') version = rest.replace(/\/\/.*/, '').trim();
      else if (word === '.target') target = rest.replace(/\/\/.*/, '').trim();
      else if (word === '.file') {
        const entry = sourceFile(line);
        if (entry !== undefined) files.set(...entry);
      }
      continue;
    }
    const word = reader.peek();
    const space = SPACES[word];
    if (LINKAGE.has(word)) reader.take();
    else if (space !== undefined) {
      reader.take();
      moduleVariables.push(...variables(reader, space));
    } else if (word === '.entry' || word === '.func') {
      const parsed = ptxFunction(reader);
      if (parsed.isDefined || !functions.has(parsed.name)) functions.set(parsed.name, parsed);
    } else if (word === '.pragma' || word === '.alias') reader.skipThrough(';');
    else reader.fail('expected a directive');
  }
  if (version === '') throw new PtxError('the text has no .version: it is not PTX', file, 1, 1);
  return { file, version, target, files, variables: moduleVariables, functions };
}

function ptxFunction(reader: Reader): PtxFunction {
  const isEntry = reader.take() === '.entry';
  if (reader.skip('.attribute')) reader.skipThrough(')');
  const results: Parameter[] = !isEntry && reader.peek() === '(' ? parameters(reader) : [];
  const line = reader.line();
  const name = reader.name();
  const list = reader.peek() === '(' ? parameters(reader) : [];
  const directives = functionDirectives(reader);
  const head = { name, isEntry, parameters: list, results, directives, line };
  if (reader.skip(';') || isDeclaration(reader.peek()))
    return { ...head, isDefined: false, registers: [], variables: [], instructions: [] };
  return { ...head, isDefined: true, ...body(reader) };
}

/** Whether a word begins the next declaration: that of a function may have no `;`. */
function isDeclaration(word: string): boolean {
  return word === '.entry' || word === '.func' || LINKAGE.has(word) || word in SPACES;
}

/** Reads directives between the parameters and the body, such as `.reqntid 128, 1, 1`. */
function functionDirectives(reader: Reader): Map<string, number[]> {
  const directives = new Map<string, number[]>();
  while (reader.peek() !== '{' && reader.peek() !== ';' && !isDeclaration(reader.peek())) {
    if (reader.isLineDirective()) {
      reader.take();
      continue;
    }
    const word = reader.take();
    if (!word.startsWith('.')) reader.fail('expected a directive of the function', reader.at - 1);
    const values: number[] = [];
    if (word === '.pragma' || word === '.attribute') {
      reader.skipThrough(word === '.pragma' ? ';' : ')');
      continue;
    }
    while (reader.isNumber() || reader.peek() === ',')
      if (!reader.skip(',')) values.push(reader.integer());
    directives.set(word.slice(1), values);
  }
  return directives;
}
