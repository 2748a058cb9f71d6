// Bundles the command line for kernels as built, which loads no module of a user: reading hundreds
// of modules takes longer than to check a kernel.
import { readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const CORE = join(ROOT, 'packages', 'core', 'dist');

/** The verbs that `bin/poundlock.js` starts from the bundle; others stay modules of their own. */
const VERBS = new Set(['check', 'simulate', 'advise', 'export']);

/** Writes `dist/bundle/main.js` and the parts that it loads when they are needed. */
export async function bundleCommand(dist) {
  await build({
    entryPoints: [join(dist, 'cli', 'main.js')],
    outdir: join(dist, 'bundle'),
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

/** Modules know the URLs that they have by themselves: threads and pages lie beside these. */
function ownUrls(dist) {
  return {
    name: 'own-urls',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
        const url = path.startsWith(CORE)
          ? `new URL(${quoted(relative(CORE, path))}, import.meta.resolve('@poundlock/core')).href`
          : `new URL(${quoted(join('..', relative(dist, path)))}, import.meta.url).href`;
        const text = readFileSync(path, 'utf8');
        return { contents: text.replaceAll(/\bimport\.meta\.url\b/g, url), loader: 'js' };
      });
    },
  };
}

function quoted(path) {
  return `'${path.split(sep).join('/')}'`;
}

/** What is not of this package or its core is imported from where it is installed. */
const ownPackages = {
  name: 'own-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.#/]/ }, ({ path }) =>
      path.startsWith('@poundlock/core') ? undefined : { path, external: true },
    );
    onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, importer, kind }) => {
      const isVerb = kind === 'dynamic-import' && /[\\/]verbs[\\/]index\.js$/.test(importer);
      if (!isVerb || VERBS.has(basename(path, '.js'))) return undefined;
      return { path: `../cli/verbs/${basename(path)}`, external: true };
    });
  },
};

if (import.meta.main)
  await bundleCommand(process.argv[2] ?? join(ROOT, 'packages', 'poundlock', 'dist'));
