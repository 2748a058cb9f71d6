// Writes `lib/` of `poundlock`, which is what npm publishes: bundles of the compiled modules that
// share their parts, and the declarations of the public faces.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { declarationOf, importsOf } from './declarations.mjs';

const PACKAGE = join(import.meta.dirname, '..', 'packages', 'poundlock');
/** A module that knows the folder of the bundles. */
const LIBRARY_URL = 'poundlock:library-url';
/** Longer lines would fill a terminal: Node prints the line of an error that is not caught. */
const MAX_LINE = 200;

/** Writes `lib/` from `dist/` of the package. */
export async function bundleLibrary(folder) {
  const dist = join(folder, 'dist');
  const lib = join(folder, 'lib');
  const faces = facesOf(folder);
  const modules = [...faces.map(({ module }) => module), 'cli/main.js', ...verbs(dist)];
  const entryPoints = [...modules, ...startedByUrl(dist)];
  await bundle({ dist, lib, entryPoints });
  copyDeclarations(
    faces.map(({ types }) => types),
    { dist, lib },
  );
}

/** Writes `lib/` of `@poundlock/ring`, whose declarations lie where the compiler puts them. */
export async function bundleRing(folder) {
  const [compiled, lib] = ['dist', 'lib'].map((name) => join(folder, name));
  const dist = join(compiled, 'ring', 'src');
  const faces = ['public', 'internal'];
  const entryPoints = [...faces.map((name) => `${name}.js`), ...startedByUrl(dist)];
  // Its module with the own folder has an effect, and nothing is imported from it.
  await bundle({ dist, lib, entryPoints, minifySyntax: true, ignoreAnnotations: true });
  const declarations = faces.map((name) => join('ring', 'src', `${name}.d.ts`));
  copyDeclarations(declarations, { dist: compiled, lib });
}

function bundle({ dist, lib, entryPoints, ...options }) {
  return build({
    entryPoints: entryPoints.map((path) => join(dist, path)),
    outbase: dist,
    outdir: lib,
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    lineLimit: MAX_LINE,
    // A kernel imports the same modules of the packages below.
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    plugins: [ownUrls(dist)],
    tsconfigRaw: {},
    logLevel: 'warning',
    ...options,
  });
}

/** The modules and declarations that the package exports, as paths in `lib/`. */
function facesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.values(exports)
    .filter((target) => typeof target === 'object')
    .map((target) => ({ module: inLibrary(target.default), types: inLibrary(target.types) }));
}

function inLibrary(target) {
  return target.slice('./lib/'.length);
}

/** The verbs: the command for kernels as built imports those that it has no copy of. */
function verbs(dist) {
  const index = readFileSync(join(dist, 'cli', 'verbs', 'index.js'), 'utf8');
  return Array.from(index.matchAll(/import\('\.\/([\w-]+\.js)'\)/g), ([, name]) =>
    join('cli', 'verbs', name),
  );
}

/** Threads, and what they load first. */
function startedByUrl(dist) {
  const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const modules = paths.filter((path) => path.endsWith('.js'));
  return modules.flatMap((path) => {
    const text = readFileSync(join(dist, path), 'utf8');
    const names = text.matchAll(/\bmoduleBeside\('([^']+)', import\.meta\.url\)/g);
    return Array.from(names, ([, name]) => join(dirname(path), `${name}.js`));
  });
}

/**
 * Keeps `import.meta.url` of each module as if it lay in `lib/` by itself. A bundle with a part of
 * several modules lies in the root of `lib/`, and the module with the URL is such a part.
 */
function ownUrls(dist) {
  return {
    name: 'own-urls',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${LIBRARY_URL}$`) }, () => ({
        path: LIBRARY_URL,
        namespace: 'own',
      }));
      onLoad({ filter: /^/, namespace: 'own' }, () => ({
        contents: `export const libraryUrl = new URL('.', import.meta.url).href;`,
      }));
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const own = relative(dist, path).split(sep).join('/');
        const url = `new URL('${own}', libraryUrl).href`;
        const changed = text.replaceAll(/\bimport\.meta\.url\b/g, url);
        if (changed === text) return undefined;
        return { contents: `import { libraryUrl } from '${LIBRARY_URL}';\n${changed}` };
      });
    },
  };
}

/** Copies the declarations of the faces, and all that those reach. */
function copyDeclarations(faces, { dist, lib }) {
  const reached = new Set(faces);
  for (const path of reached) {
    const text = readFileSync(join(dist, path), 'utf8');
    mkdirSync(dirname(join(lib, path)), { recursive: true });
    copyFileSync(join(dist, path), join(lib, path));
    for (const specifier of importsOf(text)) {
      if (!specifier.startsWith('.')) continue;
      reached.add(declarationOf(join(dirname(path), specifier)));
    }
  }
}

if (import.meta.main) await bundleLibrary(process.argv[2] ?? PACKAGE);
