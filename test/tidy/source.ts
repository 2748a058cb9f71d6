// Source files for the tidy rules: the text, and the text with comments and strings blanked.
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface Source {
  /** Relative to the scanned folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** Same length and lines as `text`: comments are spaces, what strings contain is underscores. */
  readonly code: string;
}

/** A violation of a rule, as `file:line message`. */
export type Fault = string;

export function source(path: string, text: string): Source {
  return { path, text, code: blank(text) };
}

/** Every TypeScript file below `folder`. */
export function readSources(folder: string): Source[] {
  return globSync('**/*.{ts,tsx}', { cwd: folder })
    .sort()
    .map((path) => source(path.split(sep).join('/'), readFileSync(join(folder, path), 'utf8')));
}

export function faultAt(file: Source, offset: number, message: string): Fault {
  const line = file.text.slice(0, offset).split('\n').length;
  return `${file.path}:${line} ${message}`;
}

const COMMENT_OR_STRING =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;

function blank(text: string): string {
  return text.replace(COMMENT_OR_STRING, (match) => {
    if (match.startsWith('/')) return match.replace(/[^\n]/g, ' ');
    const quote = match[0];
    return quote + blankString(match.slice(1, -1)) + quote;
  });
}

// What a template literal evaluates is code.
function blankString(inner: string): string {
  return inner.replace(/\$\{[^}]*\}|[^\n]/g, (part) => (part.length > 1 ? part : '_'));
}
