// Serves the page of `explore` on 127.0.0.1, to this machine alone, and answers its requests.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { BoundError, InputError } from '@poundlock/core/internal/base';
import { asInputError, inputErrorText, messageOf } from '@poundlock/core/internal/host';
import type { ExploreSession, Values } from '../../explore/index.ts';
import { MODEL_NAMES, type ModelName } from '../../simulate/models/names.ts';

/** The files of the page. */
const FILES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/app.js': 'app.js',
  '/app.css': 'app.css',
};
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
/** Nothing is loaded from elsewhere, and no other page can embed this one. */
const HEADERS = {
  'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
/** The most bytes of a request. */
const MAX_BODY = 1024 * 1024;

/** A server that runs. */
export interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** What a request may contain. */
interface Body {
  readonly params?: Values;
  readonly token?: string;
  readonly file?: string;
  readonly model?: string;
}

function modelOf(name: string | undefined): ModelName {
  const found = MODEL_NAMES.find((one) => one === name);
  if (found === undefined) throw new InputError(`there is no model ${name}`);
  return found;
}

type Answers = Readonly<Record<string, (body: Body) => unknown>>;

/** Starts the server on a free port; `folder` has the page, and errors name files from `cwd`. */
export async function serveExplorer(
  session: ExploreSession,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): Promise<Served> {
  const answers: Answers = {
    '/api/kernel': () => session.kernel(),
    '/api/state': ({ params = {}, token = '' }) => session.state(params, token),
    '/api/verdict': ({ params = {} }) => session.verdict(params),
    '/api/simulation': ({ params = {}, model }) => session.simulation(params, modelOf(model)),
    '/api/what-if': ({ params = {}, model }) => session.whatIf(params, modelOf(model)),
    '/api/source': ({ file = '' }) => ({ text: session.source(file) }),
  };
  let origin = '';
  const server = createServer((request, response) => {
    respond(request, response, { answers, folder, origin, cwd }).catch((error: unknown) => {
      // A request is answered whatever it is, and ends no session.
      if (response.headersSent) response.destroy();
      else send(response, 500, 'text/plain', messageOf(error));
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

interface Service {
  readonly answers: Answers;
  readonly folder: string;
  readonly origin: string;
  readonly cwd: string;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answers, folder, origin, cwd }: Service,
): Promise<void> {
  // A page of another site could reach the port by a name of its own, or by a form.
  const { host, origin: from } = request.headers;
  const isOwn = `http://${host}` === origin && (from === undefined || from === origin);
  if (!isOwn) return send(response, 403, 'text/plain', 'forbidden');
  const pathname = URL.parse(request.url ?? '/', origin)?.pathname;
  if (pathname === undefined) return send(response, 400, 'text/plain', 'no address');
  const file = FILES[pathname];
  if (request.method === 'GET' && file !== undefined) {
    return send(response, 200, TYPES[extname(file)]!, readFileSync(join(folder, file)));
  }
  const answer = answers[pathname];
  const isJson = request.headers['content-type'] === 'application/json';
  if (request.method !== 'POST' || answer === undefined || !isJson) {
    return send(response, 404, 'text/plain', 'not found');
  }
  try {
    const result = await answer(await bodyOf(request));
    send(response, 200, 'application/json', JSON.stringify(result));
  } catch (error) {
    const { status, text } = failureOf(error, cwd);
    send(response, status, 'application/json', JSON.stringify({ error: text }));
  }
}

function failureOf(error: unknown, cwd: string): { status: number; text: string } {
  const known = asInputError(error);
  if (known !== undefined) return { status: 400, text: inputErrorText(known, cwd) };
  if (error instanceof BoundError) return { status: 400, text: error.message };
  return { status: 500, text: messageOf(error) };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY) throw new InputError('the request is too large');
  }
  try {
    return JSON.parse(text) as Body;
  } catch {
    throw new InputError('the request is no JSON');
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type, ...HEADERS });
  response.end(body);
}
