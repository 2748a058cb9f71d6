// Serves a folder of static files under a path, as any server of static pages does.
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

export interface Served {
  /** With the path, and a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves a folder; `base` is the path, with a slash at both ends. */
export async function serveFolder(folder: string, base: string): Promise<Served> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = path.startsWith(base) ? fileOf(folder, path.slice(base.length)) : undefined;
    const shown = file ?? fileOf(folder, '404.html');
    const type = TYPES[extname(shown ?? '')] ?? 'application/octet-stream';
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type });
    response.end(shown === undefined ? '' : await readFile(shown));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

function fileOf(folder: string, path: string): string | undefined {
  const file = normalize(join(folder, path));
  if (file !== folder && !file.startsWith(join(folder, sep))) return undefined;
  if (!existsSync(file)) return undefined;
  return statSync(file).isDirectory() ? fileOf(file, 'index.html') : file;
}
