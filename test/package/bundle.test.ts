// tier: release
// What a browser bundle of each subpath contains, as it is published: no compiler, nothing of Node.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');

/** The subpaths that run in a browser. */
const IN_BROWSERS = ['', '/check', '/simulate', '/advise', '/export', '/sm100', '/cute', '/ring'];
const HEAVY = /node_modules\/(typescript|vscode-|commander|csv-parse)/;

for (const subpath of IN_BROWSERS) {
  test(`poundlock${subpath} bundles for browsers without a compiler`, async (t) => {
    const { metafile, outputFiles, errors } = await build({
      stdin: { contents: `export * from 'poundlock${subpath}'`, resolveDir: ROOT },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      minify: true,
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    assert.deepEqual(errors, []);
    const inputs = Object.keys(metafile.inputs);
    assert.deepEqual(
      inputs.filter((path) => HEAVY.test(path) || path.startsWith('node:')),
      [],
    );
    const [file] = outputFiles;
    t.diagnostic(
      `${Math.ceil(file!.contents.length / 1000)} kB minified, ${inputs.length} modules`,
    );
  });
}
