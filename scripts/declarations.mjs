// What a declaration file imports.

const IMPORT = /(?:from|import\()\s*['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm;

/** The specifiers of all imports and re-exports in the text of a declaration file. */
export function importsOf(text) {
  return Array.from(text.matchAll(IMPORT), ([, named, bare]) => named ?? bare);
}

/** The declaration file behind the path of a module, as sources or compiled code import it. */
export function declarationOf(path) {
  return path.replace(/(?:\.d)?\.[jt]s$/, '.d.ts');
}
