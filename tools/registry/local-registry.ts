// A registry on this machine that has the packages of this repository as they would be published,
// and takes others from the registry that npm is configured with.
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const NPM_TIMEOUT_MS = 240_000;

export interface Tarball {
  readonly name: string;
  readonly file: string;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands of a shell with the npm of the registry: those of a page, as a reader does. */
export interface Shell {
  (commands: string, cwd: string): Ran;
}

export class LocalRegistry {
  readonly #folder: string;
  readonly #child;
  #address = '';

  constructor(folder: string, tarballs: readonly Tarball[]) {
    this.#folder = folder;
    const config = join(folder, 'verdaccio.yaml');
    writeFileSync(config, JSON.stringify(configOf(folder, tarballs)));
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    this.#child = fork(join(import.meta.dirname, 'serve.mjs'), [config], { stdio: [...stdio] });
  }

  /** Publishes everything, once the registry listens. */
  async publish(tarballs: readonly Tarball[]): Promise<void> {
    const failed = once(this.#child, 'exit').then(([code]) => assert.fail(`registry: ${code}`));
    const [port] = (await Promise.race([once(this.#child, 'message'), failed])) as [number];
    failed.catch(() => {});
    this.#address = `127.0.0.1:${port}/`;
    // A registry takes no package without a name; this one asks for no right one.
    writeFileSync(join(this.#folder, '.npmrc'), `//${this.#address}:_authToken=anyone\n`);
    const shell = this.shell();
    for (const { name, file } of tarballs) {
      const { status, stderr } = shell(`npm publish '${file}'`, this.#folder);
      assert.equal(status, 0, `${name}: ${stderr}`);
    }
  }

  /** A shell whose Node is in a folder. */
  shell(node?: string): Shell {
    // What `npm run` passes on says where the repository is, and which registry it has.
    const inherited = Object.entries(process.env).filter(([key]) => !/^(npm_|NODE_)/i.test(key));
    const { NODE_EXTRA_CA_CERTS } = process.env;
    const env = {
      ...Object.fromEntries(inherited),
      ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
      PATH: [...(node === undefined ? [] : [node]), process.env.PATH].join(delimiter),
      npm_config_registry: `http://${this.#address}`,
      npm_config_userconfig: join(this.#folder, '.npmrc'),
      npm_config_cache: join(this.#folder, 'cache'),
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
    };
    return (commands, cwd) => {
      mkdirSync(cwd, { recursive: true });
      const options = { cwd, env, encoding: 'utf8', timeout: NPM_TIMEOUT_MS } as const;
      return spawnSync('sh', ['-e', '-c', commands], options);
    };
  }

  [Symbol.dispose](): void {
    this.#child.removeAllListeners();
    this.#child.kill();
  }
}

/** The configuration of Verdaccio, as JSON, which YAML includes: everyone may do everything. */
function configOf(folder: string, tarballs: readonly Tarball[]): object {
  const options = { encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const url = spawnSync('npm', ['config', 'get', 'registry'], options).stdout.trim();
  const all = { access: '$all', publish: '$all' };
  return {
    storage: join(folder, 'storage'),
    uplinks: { configured: { url, maxage: '1h' } },
    packages: {
      ...Object.fromEntries(tarballs.map(({ name }) => [name, all])),
      '**': { ...all, proxy: 'configured' },
    },
    auth: { htpasswd: { file: join(folder, 'users') } },
    web: { enable: false },
    log: { type: 'stdout', level: 'fatal' },
    max_body_size: '100mb',
  };
}
