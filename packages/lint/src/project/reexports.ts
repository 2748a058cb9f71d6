// Re-exports of packages: `export { default as x } from 'y'`. The type checker cannot resolve them
// if the package is not installed, so this file parses the text.

export interface PassedOn {
  readonly module: string;
  /** The name in the package. */
  readonly imported: string;
}

const FROM = /\bexport\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;
const SPECIFIER = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/;

/** The origin of a name that this text re-exports. */
export function passedOn(text: string, name: string): PassedOn | undefined {
  for (const [, list = '', module = ''] of text.matchAll(FROM)) {
    for (const specifier of list.split(',')) {
      const [, imported = '', local = imported] = SPECIFIER.exec(specifier) ?? [];
      if (local === name && imported !== '') return { module, imported };
    }
  }
  return undefined;
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.js', '/index.ts', '/index.tsx', '/index.js'];

/** The paths that a relative import may mean. */
export function pathsOf(from: string, module: string): string[] {
  const parts = from.split('/').slice(0, -1);
  for (const segment of module.split('/')) {
    if (segment === '..') parts.pop();
    else if (segment !== '.') parts.push(segment);
  }
  const path = parts.join('/');
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  return [path, ...ENDINGS.map((ending) => bare + ending)];
}
