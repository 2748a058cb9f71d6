// Runs Biome, from its npm package, with the most similar rules.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const VERSION = '2.6.8';
export const RULES = ['useDisposables', 'noFloatingPromises', 'noMisusedPromises'];

/** The positions of its findings; throws if the package can not be installed. */
export function biome(root) {
  const home = mkdtempSync(join(tmpdir(), 'poundlock-biome-'));
  try {
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    const install = ['install', '--no-audit', '--no-fund', `@biomejs/biome@${VERSION}`];
    execFileSync('npm', install, { cwd: home, stdio: 'ignore' });
    const nursery = Object.fromEntries(RULES.map((rule) => [rule, 'error']));
    const linter = { rules: { preset: 'none', nursery } };
    // Its type inference is limited to the files of its configuration.
    writeFileSync(join(root, 'biome.json'), JSON.stringify({ linter }));
    const bin = join(home, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
    const options = ['--reporter=json', '--max-diagnostics=none'];
    const { stdout } = spawnSync(process.execPath, [bin, 'lint', ...options, root], {
      encoding: 'utf8',
      cwd: root,
    });
    return JSON.parse(stdout)
      .diagnostics.filter(({ category }) => category.startsWith('lint/'))
      .map(({ location }) => ({ file: location.path, line: location.start.line }));
  } finally {
    rmSync(home, { recursive: true });
  }
}
