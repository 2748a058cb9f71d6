// Bundles the command line for kernels as built, which loads no module of a user: reading hundreds
// of modules takes longer than to check a kernel.
import { readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
/** The packages that are bundled with the command line. */
const BUNDLED = ['core', 'ptx'];

/** The verbs that `bin/poundlock.js` starts from the bundle; others stay modules of their own. */
const VERBS = new Set(['check', 'simulate', 'advise', 'export']);

/** Writes `lib/bundle/main.js` and the parts that it loads when they are needed. */
export async function bundleCommand(folder) {
  const dist = join(folder, 'dist');
  await build({
    entryPoints: [join(dist, 'cli', 'main.js')],
    outdir: join(folder, 'lib', 'bundle'),
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    plugins: [ownUrls(dist), ownPackages],
    tsconfigRaw: {},
    absWorkingDir: ROOT,
    logLevel: 'warning',
  });
}

/**
 * Keeps `import.meta.url` of each module as if it lay in `lib/` by itself, or in its package: threads
 * and pages are files beside it.
 */
function ownUrls(dist) {
  return {
    name: 'own-urls',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
        const name = BUNDLED.find((each) => path.startsWith(distOf(each)));
        const url =
          name === undefined
            ? `new URL(${quoted(join('..', relative(dist, path)))}, import.meta.url).href`
            : `new URL(${quoted(relative(distOf(name), path))}, import.meta.resolve('@poundlock/${name}')).href`;
        const text = readFileSync(path, 'utf8');
        return { contents: text.replaceAll(/\bimport\.meta\.url\b/g, url), loader: 'js' };
      });
    },
  };
}

function distOf(name) {
  return join(ROOT, 'packages', name, 'dist') + sep;
}

function quoted(path) {
  return `'${path.split(sep).join('/')}'`;
}

/** Other packages are imported from where they are installed. */
const ownPackages = {
  name: 'own-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.#/]/ }, ({ path }) =>
      BUNDLED.some((name) => path.startsWith(`@poundlock/${name}`))
        ? undefined
        : { path, external: true },
    );
    onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, importer, kind }) => {
      const isVerb = kind === 'dynamic-import' && /[\\/]verbs[\\/]index\.js$/.test(importer);
      if (!isVerb || VERBS.has(basename(path, '.js'))) return undefined;
      return { path: `../cli/verbs/${basename(path)}`, external: true };
    });
  },
};

if (import.meta.main) await bundleCommand(process.argv[2] ?? join(ROOT, 'packages', 'poundlock'));
