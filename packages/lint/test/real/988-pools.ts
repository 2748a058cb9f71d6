// Pools whose resources release themselves, methods that heirs implement, callbacks by name.
import chokidar from 'chokidar';
import type { Pool, PoolClient } from 'pg';

export class Provider {
  connectionPool: any;
  async version(): Promise<string> {
    const connection = await this.connectionPool.acquire({});
    try {
      await connection.reset();
    } finally {
      await connection.release();
    }
    return 'x';
  }
  async both(): Promise<void> {
    const all: any[] = [];
    try {
      const connection = await this.connectionPool.acquire({});
      all.push(connection);
      if (!connection.isOpen) throw new Error('closed');
    } finally {
      await Promise.all(all.map((each) => each.release()));
    }
  }
  async forgotten(): Promise<void> {
    const connection = await this.connectionPool.acquire({}); // expect: leak
    await connection.reset();
    await connection.release();
  }
}

class Connection {
  protocol(): { version: number } {
    throw new Error('not implemented');
  }
  async close(): Promise<void> {}
}
class Channel extends Connection {
  override protocol(): { version: number } {
    return { version: 4 };
  }
}
export class Versions {
  openConnection = (): Promise<Connection> => Promise.resolve(new Channel());
  async of(): Promise<number> {
    const connection = await this.openConnection();
    const { version } = connection.protocol();
    await connection.close();
    return version;
  }
}

export function listen(pool: Pool): void {
  const listener = (error: unknown, client: PoolClient | undefined, release: () => void): void => {
    if (error || client === undefined) {
      setTimeout(() => pool.connect(listener as never), 10);
      return;
    }
    client.removeListener('notification', () => {});
    release();
  };
  pool.connect(listener as never);
}
export async function untilInterrupted(): Promise<void> {
  const watcher = chokidar.watch('src');
  watcher.on('all', () => {});
  await new Promise(() => {});
}
export async function untilAccepted(isReady: Promise<void>): Promise<void> {
  const watcher = chokidar.watch('src'); // expect: note
  watcher.on('all', () => {});
  await isReady;
}
