// Builds the playground, static files: node tools/playground/build.mjs [FOLDER]
import { createHash } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { writeGallery } from './gallery.mjs';
import { stripperApart } from './stripper.mjs';
import { writeTypes } from './types.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const PACKAGE = join(ROOT, 'packages', 'poundlock');
const APP = join(PACKAGE, 'app');
const OWN = join(import.meta.dirname, 'app');
const SHARED = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning' };
const SOURCES = { conditions: ['poundlock-source'], tsconfigRaw: {} };
const PREACT = { jsx: 'automatic', jsxImportSource: 'preact' };

/** Where the bundle says that it is: by that, positions of program texts differ from its own. */
const OWN_ADDRESS = JSON.stringify('file:///poundlock/src/program.js');

/** Writes the playground to a folder, which any static server can serve under any path. */
export async function bundlePlayground(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await Promise.all([bundlePage(folder), bundleProgramThread(folder), bundleFrame(folder)]);
  copyEditorThreads(folder);
  cpSync(join(OWN, 'index.html'), join(folder, 'index.html'));
  writeTypes(folder, ROOT);
  writeGallery(folder, join(ROOT, 'examples'));
  writeLicenses(folder);
}

async function bundlePage(folder) {
  await build({
    ...SHARED,
    ...SOURCES,
    ...PREACT,
    entryPoints: { early: join(OWN, 'early.ts'), playground: join(OWN, 'main.tsx') },
    outdir: folder,
    format: 'esm',
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    assetNames: 'parts/[name]-[hash]',
    loader: { '.ttf': 'file' },
    define: { 'import.meta.url': OWN_ADDRESS },
  });
  keepOneStyle(join(folder, 'parts'));
  await build({
    ...SHARED,
    entryPoints: {
      app: join(APP, 'app.css'),
      playground: join(OWN, 'playground.css'),
    },
    entryNames: '[name]',
    outdir: folder,
  });
}

/** Parts of the editor have its style each; the page loads it once, by its name. */
function keepOneStyle(parts) {
  const styles = globSync('*.css', { cwd: parts });
  const whole = styles.find((name) => name.startsWith('editor-'));
  renameSync(join(parts, whole), join(parts, 'editor.css'));
  for (const name of styles) rmSync(join(parts, name), { force: true });
}

async function bundleProgramThread(folder) {
  await build({
    ...SHARED,
    ...SOURCES,
    entryPoints: { program: join(OWN, 'worker.ts') },
    outdir: folder,
    format: 'iife',
    define: { 'import.meta.url': OWN_ADDRESS },
    alias: { util: join(OWN, 'text-coding.ts'), 'node:buffer': join(OWN, 'stripper-bytes.ts') },
    plugins: [stripperApart(ROOT, folder)],
  });
}

/** Monaco comes with its threads as bundles. */
function copyEditorThreads(folder) {
  const bundles = join(ROOT, 'node_modules', 'monaco-editor', 'min', 'vs', 'assets');
  for (const name of ['ts.worker', 'editor.worker']) {
    const [file] = globSync(`${name}-*.js`, { cwd: bundles });
    cpSync(join(bundles, file), join(folder, `${name}.js`));
  }
}

/** The frame has its script within it: its origin is none that could load one. */
async function bundleFrame(folder) {
  const { outputFiles } = await build({
    ...SHARED,
    ...SOURCES,
    entryPoints: [join(OWN, 'frame.ts')],
    write: false,
    format: 'iife',
  });
  const script = outputFiles[0].text.trim();
  const hash = createHash('sha256').update(script).digest('base64');
  const page = readFileSync(join(OWN, 'sandbox.html'), 'utf8');
  const whole = page
    .replace('SCRIPT_HASH', () => `sha256-${hash}`)
    .replace(/<script>.*<\/script>/s, () => `<script>${script}</script>`);
  writeFileSync(join(folder, 'sandbox.html'), whole);
}

/** The texts that the licenses of what is bundled ask for. */
function writeLicenses(folder) {
  const files = [
    ['monaco-editor', 'LICENSE', 'ThirdPartyNotices.txt'],
    ['@swc/wasm-typescript', 'LICENSE'],
    ['preact', 'LICENSE'],
    ['es-module-lexer', 'LICENSE'],
  ];
  const texts = files.flatMap(([name, ...own]) => {
    const home = join(ROOT, 'node_modules', name);
    return own.map((file) => `${name}: ${file}\n\n${readFileSync(join(home, file), 'utf8')}`);
  });
  writeFileSync(join(folder, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(ROOT, 'dist', 'playground');
  await bundlePlayground(folder);
  process.stdout.write(`the playground is in ${folder}: serve it with any static server\n`);
}
