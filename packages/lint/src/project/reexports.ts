// Names that a file of the project passes on from a package: `export { default as x } from 'y'`.
// Where the package is not installed no type checker follows them, so this reads the text.

export interface PassedOn {
  readonly module: string;
  /** What the package calls it. */
  readonly imported: string;
}

const FROM = /\bexport\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;
const SPECIFIER = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/;

/** Where a name of this text comes from, if it is passed on. */
export function passedOn(text: string, name: string): PassedOn | undefined {
  for (const [, list = '', module = ''] of text.matchAll(FROM)) {
    for (const each of list.split(',')) {
      const [, imported = '', local = imported] = SPECIFIER.exec(each) ?? [];
      if (local === name && imported !== '') return { module, imported };
    }
  }
  return undefined;
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.js', '/index.ts', '/index.tsx', '/index.js'];

/** The paths that a relative import may mean. */
export function pathsOf(from: string, module: string): string[] {
  const parts = from.split('/').slice(0, -1);
  for (const each of module.split('/')) {
    if (each === '..') parts.pop();
    else if (each !== '.') parts.push(each);
  }
  const path = parts.join('/');
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  return [path, ...ENDINGS.map((ending) => bare + ending)];
}
