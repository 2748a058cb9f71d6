// Opens a farm: its package is optional, because it depends on a client of Redis.
import { connect } from 'node:net';
import type { Farm } from '@poundlock/farm';
import { InputError } from '@poundlock/core/internal/base';
import { messageOf, systemMessage } from '@poundlock/core/internal/host';
import { engineVersion } from '../jobs/own-code.ts';

const PACKAGE = '@poundlock/farm';

/** The farm of an address, for jobs of this version. */
export async function openFarm(url: string): Promise<Farm> {
  const { Farm: Opened } = await load();
  try {
    const farm = Opened.open({ url, version: engineVersion() });
    await mustAnswer(url);
    return farm;
  } catch (error) {
    throw new InputError(`--farm ${shown(url)}: ${messageOf(error)}`);
  }
}

/** An address without its password. */
function shown(url: string): string {
  return url.replace(/:[^:@/]*@/, ':…@');
}

/** How long a server may take to accept a connection. */
const CONNECT_MS = 10_000;
const REDIS_PORT = 6379;
const POSTGRES_PORT = 5432;

/** A connection that is lost comes back by itself; one that never was is a mistake. */
async function mustAnswer(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol.startsWith('redis') ? REDIS_PORT : POSTGRES_PORT;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const host = hostname.replaceAll(/[[\]]/g, '');
  const socket = connect(port === '' ? usual : Number(port), host, resolve);
  socket.setTimeout(CONNECT_MS, () => reject(new Error('the server does not answer')));
  socket.on('error', (error) => reject(new Error(systemMessage(error))));
  try {
    await promise;
  } finally {
    socket.destroy();
  }
}

async function load(): Promise<{ readonly Farm: typeof Farm }> {
  try {
    return await import('@poundlock/farm');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const install = `npm install --save-dev poundlock ${PACKAGE}`;
    throw new InputError(`--farm needs the package ${PACKAGE} beside poundlock: ${install}`);
  }
}
