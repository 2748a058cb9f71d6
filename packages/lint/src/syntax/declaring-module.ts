// Finds the package of a declaration file.

/** `pg`, `node:fs/promises`, `lib` for TypeScript's own; `undefined` inside the project. */
export function moduleOf(path: string): string | undefined {
  if (/(^bundled:|\/lib\/)[^\n]*\/?lib\.[\w.]*d\.ts$/.test(path)) return 'lib';
  const index = path.lastIndexOf('/node_modules/');
  if (index === -1) return undefined;
  const inside = path.slice(index + '/node_modules/'.length);
  const node = /^@types\/node\/(.*?)(\.d)?\.ts$/.exec(inside);
  if (node) return `node:${node[1]}`;
  const [first = '', second = ''] = inside.split('/');
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  return name.startsWith('@types/') ? untyped(name.slice('@types/'.length)) : name;
}

/** `@types/foo__bar` declares `@foo/bar`. */
function untyped(name: string): string {
  return name.includes('__') ? `@${name.replace('__', '/')}` : name;
}

/** The specifier of an ambient module among the names of a symbol's parents; files have paths. */
export function ambientName(parents: readonly (string | undefined)[]): string | undefined {
  for (const name of parents) {
    const specifier = /^"(.+)"$/.exec(name ?? '')?.[1];
    if (specifier !== undefined)
      return /^([A-Za-z]:)?[\\/]/.test(specifier) ? undefined : specifier;
  }
  return undefined;
}
