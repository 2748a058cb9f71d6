// The state of a farm as a page on this machine, which follows it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FarmStatus } from '@poundlock/farm';
import type { Host } from '@poundlock/core/internal/host';
import { countsText, WORKER_COLUMNS, warningsOf, workerCells } from './status-text.ts';

/** How often the page asks. */
const EVERY_MS = 1_000;

const STYLE = `:root { color-scheme: light dark } body { font: 15px/1.5 system-ui, sans-serif;
max-width: 70rem; margin: 2rem auto; padding: 0 1rem } table { border-collapse: collapse }
th, td { text-align: left; padding: .2rem .9rem .2rem 0 } #warnings { color: #b45309 }
progress { width: 100%; height: 1rem } #failures { color: #b3261e; overflow-wrap: anywhere }
.scroll { overflow-x: auto }`;

// All texts are set as text: what a worker or a job says is never markup.
const SCRIPT = `const at = (id) => document.getElementById(id);
const lines = (element, texts, tag) => element.replaceChildren(...texts.map((text) => {
  const one = document.createElement(tag); one.textContent = text; return one; }));
let last = null;
async function update() {
  try {
    const { counts, warnings, workers, failures, done, all } = await (await fetch('status')).json();
    const now = performance.now();
    const rate = last === null ? '' : ((done - last.done) / (now - last.now) * 1000).toFixed(1);
    last = { done, now };
    at('counts').textContent = counts + (rate === '' ? '' : ', ' + rate + ' a second');
    at('bar').max = Math.max(1, all); at('bar').value = done;
    lines(at('warnings'), warnings, 'p'); lines(at('failures'), failures, 'li');
    at('workers').replaceChildren(...workers.map((cells) => {
      const row = document.createElement('tr'); lines(row, cells, 'td'); return row; }));
    document.body.dataset.updated = 'yes';
  } catch { at('counts').textContent = 'the farm does not answer'; }
}
update(); setInterval(update, ${EVERY_MS});`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>poundlock farm</title>
<style>${STYLE}</style></head><body><main><h1>poundlock farm</h1>
<p id="counts" role="status">…</p><progress id="bar" aria-label="jobs that are done"></progress>
<div id="warnings"></div><h2>Workers</h2><div class="scroll"><table><thead><tr>
${WORKER_COLUMNS.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>
<tbody id="workers"></tbody></table></div><h2>Failed</h2><ul id="failures"></ul></main>
<script>${SCRIPT}</script></body></html>`;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'",
  'x-content-type-options': 'nosniff',
};

/** What the page is sent. */
export function pageData(status: FarmStatus, now: number): object {
  const { waiting, active, completed, failed, workers, failures } = status;
  return {
    counts: countsText(status),
    warnings: warningsOf(status),
    workers: workers.map((worker) => workerCells(worker, now)),
    failures: failures.map(({ id, message }) => `${id.slice(0, 12)}: ${message}`),
    done: completed + failed,
    all: waiting + active + completed + failed,
  };
}

/** Serves the page on 127.0.0.1 until Ctrl-C. */
export async function serveStatus(
  read: () => Promise<FarmStatus>,
  port: number,
  host: Host,
): Promise<void> {
  const server = createServer((request, response) => {
    const isLocal = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '');
    if (!isLocal || (request.url !== '/' && request.url !== '/status')) {
      response.writeHead(404, HEADERS).end();
      return;
    }
    if (request.url === '/') {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
      return;
    }
    read()
      .then((status) => {
        response.writeHead(200, { ...HEADERS, 'content-type': 'application/json' });
        response.end(JSON.stringify(pageData(status, Date.now())));
      })
      .catch(() => response.writeHead(503, HEADERS).end());
  });
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const forget = host.onInterrupt(() => stop());
  server.listen(port, '127.0.0.1', () => {
    const { port: used } = server.address() as AddressInfo;
    host.stdout.write(`http://127.0.0.1:${used}/\n`);
  });
  await stopped;
  forget();
  server.closeAllConnections();
  server.close();
}
