import { createServer } from 'node:http';
import { readFileSync, existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
const T = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.ttf': 'font/ttf',
};
const root = '/tmp/play/site';
const server = createServer((q, r) => {
  const p = decodeURIComponent(new URL(q.url, 'http://x').pathname).replace(/^\/deep\/path/, '');
  const f = join(root, p === '/' ? 'index.html' : p);
  if (!existsSync(f) || statSync(f).isDirectory()) {
    r.writeHead(404);
    return r.end();
  }
  r.writeHead(200, { 'content-type': T[extname(f)] ?? 'application/octet-stream' });
  r.end(readFileSync(f));
}).listen(0, '127.0.0.1', async () => {
  const origin = 'http://127.0.0.1:' + server.address().port;
  const b = await chromium.launch({ executablePath: '/usr/bin/chromium' });
  const page = await b.newPage({
    viewport: { width: +(process.argv[4] ?? 1400), height: 900 },
    colorScheme: process.argv[5] ?? 'light',
  });
  page.on('console', (m) => console.log('console', m.type(), m.text()));
  page.on('pageerror', (e) => console.log('ERR', e.message));
  page.on('request', (q) => {
    if (!q.url().startsWith(origin) && !q.url().startsWith('blob:') && !q.url().startsWith('data:'))
      console.log('OUT', q.url());
  });
  const t = performance.now();
  await page.goto(origin + '/deep/path/' + (process.argv[2] ?? ''));
  try {
    await page.waitForSelector(
      '.verdict.counterexample, .verdict.certified, .verdict.inconclusive, .problem',
      { timeout: 20000 },
    );
    console.log('verdict', performance.now() - t, await page.textContent('.verdict, .problem'));
  } catch (e) {
    console.log(e.message);
  }
  try {
    await page.waitForSelector('.monaco-editor .view-line', { timeout: 20000 });
    console.log('editor', performance.now() - t);
  } catch (e) {
    console.log(e.message);
  }
  await page.waitForTimeout(4000);
  await page.screenshot({ path: process.argv[3] ?? '/tmp/play/shot.png' });
  console.log(page.url().slice(0, 200));
  await b.close();
  server.close();
});
