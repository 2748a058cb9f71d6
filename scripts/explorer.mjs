// Bundles the page of `poundlock explore`: node scripts/explorer.mjs [FOLDER]
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const PACKAGE = join(import.meta.dirname, '..', 'packages', 'poundlock');
const APP = join(PACKAGE, 'app');

/** Writes the page to a folder: three files that need no others. */
export async function bundleExplorer(folder) {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: { app: join(APP, 'main.tsx') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['poundlock-source'],
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  await build({
    entryPoints: [join(APP, 'app.css')],
    outdir: folder,
    minify: true,
    logLevel: 'warning',
  });
  copyFileSync(join(APP, 'index.html'), join(folder, 'index.html'));
}

if (import.meta.main) await bundleExplorer(process.argv[2] ?? join(PACKAGE, 'lib', 'explorer'));
