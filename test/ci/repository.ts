// A git repository with poundlock installed, as a runner of GitHub finds it.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const PACKAGE = join(import.meta.dirname, '..', '..', 'packages', 'poundlock');

const HANDLE = `/** @mustRelease close */
export declare class Handle { close(): void; use(): void }
`;

export const LEAK = `import { Handle } from './handle.js';
export function leak(): void {
  const handle = new Handle();
  handle.use();
}
`;

export const FINE = LEAK.replace('handle.use()', 'handle.close()');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export class Repository {
  readonly path = mkdtempSync(join(tmpdir(), 'poundlock-ci-'));
  readonly temp = mkdtempSync(join(tmpdir(), 'poundlock-runner-'));

  constructor() {
    const modules = join(this.path, 'node_modules');
    mkdirSync(join(modules, '.bin'), { recursive: true });
    symlinkSync(PACKAGE, join(modules, 'poundlock'));
    symlinkSync(join(PACKAGE, 'bin', 'poundlock.js'), join(modules, '.bin', 'poundlock'));
    this.write('.gitignore', 'node_modules\n');
    this.write('package.json', '{ "name": "tried", "private": true, "type": "module" }');
    this.write('src/handle.d.ts', HANDLE);
    this.run('git init -q && git config user.email a@b.c && git config user.name a');
    this.run('git config commit.gpgsign false && git add -A && git commit -qm first');
  }

  write(name: string, text: string): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Runs a script as a step of a job: `bash -e`, with the variables that a runner sets. */
  run(script: string, env: Readonly<Record<string, string>> = {}): Ran {
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: this.path,
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_TEST_CONTEXT: '',
        RUNNER_TEMP: this.temp,
        GITHUB_WORKSPACE: this.path,
        GITHUB_OUTPUT: join(this.temp, 'output'),
        GITHUB_STEP_SUMMARY: join(this.temp, 'summary'),
        ...env,
      },
    });
    return { code: status, out: stdout, err: stderr };
  }

  /** What a step wrote for those after it. */
  outputs(): Record<string, string> {
    const file = join(this.temp, 'output');
    if (!existsSync(file)) return {};
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
  }

  [Symbol.dispose](): void {
    for (const path of [this.path, this.temp]) rmSync(path, { recursive: true, force: true });
  }
}
