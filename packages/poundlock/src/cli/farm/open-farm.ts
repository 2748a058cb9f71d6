// Opens a farm: its package is optional, because it depends on a client of Redis.
import type { Farm } from '@poundlock/farm';
import { InputError } from '@poundlock/core/internal/base';
import { messageOf } from '@poundlock/core/internal/host';
import { engineVersion } from '../jobs/own-code.ts';

const PACKAGE = '@poundlock/farm';

/** The farm of an address, for jobs of this version. */
export async function openFarm(url: string): Promise<Farm> {
  const { Farm: Opened } = await load();
  try {
    return Opened.open({ url, version: engineVersion() });
  } catch (error) {
    throw new InputError(`--farm ${url}: ${messageOf(error)}`);
  }
}

async function load(): Promise<{ readonly Farm: typeof Farm }> {
  try {
    return await import('@poundlock/farm');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new InputError(`--farm needs the package ${PACKAGE}: npm install --save-dev ${PACKAGE}`);
  }
}
