// tier: release — every package of the lock file installs without a warning of npm on each Node.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { satisfies } from 'semver';

const ROOT = join(import.meta.dirname, '..', '..');
/** `npm ci` runs on what a machine has; scripts then run on the Node that it installs. */
const NODES = ['20.19.0', '22.13.0', '24.0.0', '26.0.0'];

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly deprecated?: string;
}

const { packages } = json('package-lock.json') as { packages: Record<string, Locked> };
const { allowScripts } = json('package.json') as { allowScripts: Record<string, boolean> };

function json(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

for (const node of NODES) {
  test(`every package admits Node ${node}`, () => {
    const refusing = Object.entries(packages).filter(
      ([, { engines }]) => !satisfies(node, engines?.node ?? '*'),
    );
    assert.deepEqual(
      refusing.map(([path, { engines }]) => `${path}: ${engines?.node}`),
      [],
    );
  });
}

test('package.json decides on every install script', () => {
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  assert.deepEqual(Object.keys(allowScripts).sort(), [...new Set(names)].sort());
});

test('no package is deprecated', () => {
  const deprecated = Object.entries(packages).filter(([, each]) => each.deprecated !== undefined);
  assert.deepEqual(deprecated, []);
});
