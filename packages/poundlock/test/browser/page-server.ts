// Serves the page, the built package, and program texts without their types, all of this checkout.
import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', '..', '..');
export const ROOT = join(PACKAGES, '..');
/** The packages that a page can use, by their folders. */
const SERVED = ['core', 'dialects', 'ring', 'poundlock'];

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.ts': 'text/javascript',
};

/** Without these a browser has no shared memory. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** The file behind a path, if it is one that the page may see. */
function fileOf(path: string): string | undefined {
  if (path === '/') return join(import.meta.dirname, 'page.html');
  if (path === '/ring-worker.js') return join(import.meta.dirname, path);
  if (/^\/(?:(?:core|dialects|ring)\/dist|(?:poundlock|ring)\/lib)\/[\w/-]+\.js$/.test(path))
    return join(PACKAGES, path);
  return /^\/examples\/[\w/-]+\.ts$/.test(path) ? join(ROOT, path) : undefined;
}

/** What a package exports, as names and paths of the server; a star stands for each room. */
function exportsOf(folder: string): [name: string, path: string][] {
  const manifest = readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(manifest) as {
    name: string;
    exports: Record<string, { default?: string }>;
  };
  return Object.entries(exports).flatMap(([key, { default: path }]): [string, string][] => {
    if (path === undefined) return [];
    const to = path.replace('.', `/${folder}`);
    if (!key.includes('*')) return [[key.replace('.', name), to]];
    const rooms = globSync(path, { cwd: join(PACKAGES, folder) }).map((file) =>
      file.split(/[\\/]/).at(-2)!,
    );
    return rooms.map((room) => [key.replace('.', name).replace('*', room), to.replace('*', room)]);
  });
}

/** Where a browser finds what the packages export. */
function importMap(): string {
  return JSON.stringify({ imports: Object.fromEntries(SERVED.flatMap(exportsOf)) });
}

/** The text of a file as a browser runs it: types become spaces, so that lines and columns stay. */
async function textOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  if (extname(file) === '.html') return text.replace('IMPORT_MAP', importMap());
  return extname(file) === '.ts' ? stripTypeScriptTypes(text, { mode: 'strip' }) : text;
}

/** Starts the server on a free port of this machine. */
export async function servePage(): Promise<{ server: Server; origin: string }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = fileOf(pathname);
    try {
      const text = file === undefined ? undefined : await textOf(file);
      const type = TYPES[extname(file ?? '')] ?? 'text/plain';
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': type, ...ISOLATED });
      response.end(text);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return { server, origin: `http://127.0.0.1:${port}` };
}
