// The declarations of poundlock for the editor of the playground, by their paths in node_modules.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { declarationOf, importsOf } from '../../scripts/declarations.mjs';

const PACKAGES = {
  poundlock: 'poundlock',
  '@poundlock/core': 'core',
  '@poundlock/dialects': 'dialects',
  '@poundlock/ptx': 'ptx',
  '@poundlock/ring': 'ring',
};
/** What programs in a browser can import. */
const ENTRIES = ['', '/advise', '/check', '/cute', '/export', '/ptx', '/simulate', '/sm100'];
const MAX_FILES = 5000;

/** Writes types.json: every declaration that the entries reach, and a file for each import. */
export function writeTypes(folder, root) {
  const types = {};
  const open = ENTRIES.map((entry) => `poundlock${entry}`);
  const known = new Set(open);
  for (let at = 0; at < open.length; at++) {
    if (open.length > MAX_FILES) throw new Error('the declarations import too many files');
    const found = findDeclaration(open[at], root);
    if (found === null) continue;
    const { path, file, isEntry } = found;
    const text = readFileSync(file, 'utf8');
    types[path] = text;
    if (isEntry) types[`${open[at]}.d.ts`] = reexport(open[at], path);
    for (const specifier of importsOf(text)) {
      const next = specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
      if (!known.has(next)) open.push(next);
      known.add(next);
    }
  }
  writeFileSync(join(folder, 'types.json'), JSON.stringify(types));
}

/** Where an import or a path below node_modules is declared; `null` for other packages. */
function findDeclaration(specifier, root) {
  const name = Object.keys(PACKAGES).find((one) => `${specifier}/`.startsWith(`${one}/`));
  if (name === undefined) return null;
  const home = join(root, 'packages', PACKAGES[name]);
  const rest = specifier.slice(name.length + 1);
  const isEntry = !/^(?:dist|lib)\//.test(rest);
  const target = isEntry ? exported(home, rest) : declarationOf(rest);
  const file = join(home, target);
  if (!existsSync(file)) throw new Error(`${relative(root, file)} is missing: run npm run build`);
  return { path: `${name}/${target.replace(/^\.\//, '')}`, file, isEntry };
}

function exported(home, entry) {
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const key = entry === '' ? '.' : `./${entry}`;
  if (exports[key] !== undefined) return exports[key].types;
  for (const [pattern, { types }] of Object.entries(exports)) {
    const [start, end] = pattern.split('*');
    if (end === undefined || !key.startsWith(start) || !key.endsWith(end)) continue;
    return types.replaceAll('*', key.slice(start.length, key.length - end.length));
  }
  throw new Error(`${home} exports no ${key}`);
}

/** A file at the path of an import, which every resolution finds. */
function reexport(specifier, path) {
  const target = relative(dirname(specifier), path).replace(/\.d\.ts$/, '');
  return `export * from './${target}';\n`;
}
