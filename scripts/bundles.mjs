// Bundles what `poundlock` uses of packages that it does not depend on, with their licenses.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'packages', 'poundlock');

/** Modules that only re-export names of packages: each becomes one file without imports. */
const BUNDLED = ['cli/mcp/sdk', 'cli/dap/sdk'];

/** CommonJS in a module: it requires modules of Node. */
const REQUIRE =
  "import { createRequire as createRequireOf } from 'node:module';" +
  'const require = createRequireOf(import.meta.url);';

/** Replaces the compiled modules by bundles, and writes the licenses of what is in them to `lib/`. */
export async function bundlePackages(folder) {
  const folders = new Set();
  for (const name of BUNDLED) {
    const { metafile } = await build({
      entryPoints: [join(PACKAGE, 'src', `${name}.ts`)],
      outfile: join(folder, 'dist', `${name}.js`),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      banner: { js: REQUIRE },
      legalComments: 'none',
      tsconfigRaw: {},
      metafile: true,
      absWorkingDir: ROOT,
      logLevel: 'warning',
    });
    for (const path of Object.keys(metafile.inputs).flatMap(packageOf)) folders.add(path);
  }
  const texts = [...folders].toSorted().map(licenseOf);
  mkdirSync(join(folder, 'lib'), { recursive: true });
  writeFileSync(join(folder, 'lib', 'LICENSES.txt'), texts.join('\n'));
}

/** The folder of the package that a file is from. */
function packageOf(file) {
  const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file);
  return found === null ? [] : [found[0]];
}

function licenseOf(folder) {
  const at = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  const file = readdirSync(at).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) return `${name} ${version} (${license})\n`;
  return `${name} ${version} (${license})\n\n${readFileSync(join(at, file), 'utf8')}`;
}

if (import.meta.main) await bundlePackages(process.argv[2] ?? PACKAGE);
