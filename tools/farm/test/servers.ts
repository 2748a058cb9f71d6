// Servers of the tests: started on a free port with a folder of their own, gone afterwards.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that can be stopped, and started again with what it had. */
export interface Server {
  readonly url: string;
  /** The number of its process now. */
  readonly pid: number;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The first command that is there; `null` where none is. */
function found(names: readonly string[]): string | null {
  return names.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

export const VALKEY = found(['valkey-server']);
export const REDIS = found(['redis-server']) ?? VALKEY;

/** The folder of the programs of PostgreSQL, which Debian does not put into the path. */
export const POSTGRES = postgresFolder();

function postgresFolder(): string | null {
  const folders = globSync('/usr/lib/postgresql/*/bin').toSorted();
  return folders.findLast((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', () => resolve());
  await promise;
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill(signal);
  await promise;
}

/** How often a server is asked whether it has started. */
const TRIES = 200;
const TRY_MS = 50;

async function answers(port: number): Promise<void> {
  const { connect } = await import('node:net');
  for (let tries = 0; tries < TRIES; tries++) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false));
    const isThere = await promise;
    socket.destroy();
    if (isThere) return;
    await sleep(TRY_MS);
  }
  throw new Error('the server does not start');
}

/** Starts Valkey alone. */
export function startValkey(): Promise<Server> {
  return startRedis(VALKEY!);
}

/** Starts Redis or Valkey; each write is on disk before it is answered. */
export async function startRedis(command = REDIS!): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-redis-'));
  const port = await freePort();
  const files = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const args = ['--port', String(port), '--bind', '127.0.0.1', ...files];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(command, args, { stdio: 'ignore' });
    await answers(port);
    return child;
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid!;
    },
    restart: async () => {
      await ended(child, 'SIGTERM');
      child = await start();
    },
    stop: async () => {
      await ended(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL accepts connections before it takes queries. */
async function isReady(port: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const args = ['-h', '127.0.0.1', '-p', String(port), '-q'];
    if (spawnSync(join(POSTGRES!, 'pg_isready'), args).status === 0) return;
    await sleep(TRY_MS);
  }
  throw new Error('the server does not start');
}

/** Starts PostgreSQL; it refuses to run as root. */
export async function startPostgres(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'poundlock-postgres-'));
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(folder, 0o777);
    execFileSync('chown', ['postgres', folder]);
  }
  const as = (command: string, args: readonly string[]): readonly [string, string[]] =>
    isRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args]]
      : [command, [...args]];
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'farm', '-A', 'trust', '--no-sync'];
  execFileSync(...as(join(POSTGRES!, 'initdb'), init), { stdio: 'ignore', cwd: folder });
  const options = [
    '-D',
    data,
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
  ];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(...as(join(POSTGRES!, 'postgres'), options), {
      stdio: 'ignore',
      cwd: folder,
    });
    await answers(port);
    await isReady(port);
    return child;
  };
  let child = await start();
  return {
    url: `postgres://farm@127.0.0.1:${port}/postgres`,
    get pid() {
      return child.pid!;
    },
    restart: async () => {
      await ended(child, 'SIGINT');
      child = await start();
    },
    stop: async () => {
      await ended(child, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
