// Checks the models of `poundlock lint` against the real libraries: the effect of a second release
// and of a late use. Writes the table of bench/results/lint-probes.md. Under a minute, mostly npm.
//
//   node bench/lint-probes/run.mjs
//
// Needs Debian's postgresql (for `pg`) and Chromium; if one is missing, its probes report that.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { putIntoPage } from '../page.mjs';
import { outcome } from './outcome.mjs';
import { PAGE_PROBES } from './pages.mjs';

/** Exact versions; a model names the package that its row is about. */
const PACKAGES = {
  pg: '8.23.1',
  'pg-cursor': '2.22.0',
  undici: '8.12.4',
  rxjs: '7.8.2',
  '@opentelemetry/api': '1.9.1',
  '@opentelemetry/sdk-trace-base': '2.12.1',
  '@tensorflow/tfjs-core': '4.22.0',
  '@tensorflow/tfjs-backend-cpu': '4.22.0',
  '@tensorflow/tfjs-layers': '4.22.0',
  'onnxruntime-web': '1.30.0',
  three: '0.187.0',
  typeorm: '1.1.1',
  'sql.js': '1.16.0',
  'reflect-metadata': '0.2.2',
  sinon: '22.1.0',
  tiktoken: '1.0.22',
};
const OF = {
  'pg.client': 'pg',
  'pg.cursor': 'pg-cursor',
  'undici.body': 'undici',
  'rx.subscription': 'rxjs',
  'otel.span': '@opentelemetry/sdk-trace-base',
  'tf.variable': '@tensorflow/tfjs-layers',
  'onnx.session': 'onnxruntime-web',
  'three.gpu': 'three',
  'typeorm.dataSource': 'typeorm',
  'test.spy': 'sinon',
  'wasm.bindgen': 'tiktoken',
};
const PORT = 54331;
const NPM_MS = 300_000;
const PROBES_MS = 120_000;

/** Runs something while its own database server listens on loopback. */
function besidePostgres(folder, work) {
  const [pgCtl] = globSync('/usr/lib/postgresql/*/bin/pg_ctl');
  if (pgCtl === undefined) return work(0);
  // It refuses to run as root.
  const asUser = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const run = (...words) => {
    const [command, ...rest] = [...asUser, ...words];
    execFileSync(command, rest, { stdio: 'ignore' });
  };
  const home = join(folder, 'postgres');
  mkdirSync(home);
  if (asUser.length > 0) execFileSync('chown', ['postgres', folder, home]);
  const data = join(home, 'data');
  run(pgCtl.replace(/pg_ctl$/, 'initdb'), '-D', data, '-A', 'trust', '-U', 'postgres');
  const settings = `-p ${PORT} -h 127.0.0.1 -k ${home}`;
  run(pgCtl, '-D', data, '-w', '-l', join(home, 'log'), '-o', settings, 'start');
  try {
    return work(PORT);
  } finally {
    run(pgCtl, '-D', data, '-m', 'immediate', 'stop');
  }
}

function probePackages(folder) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: PACKAGES }));
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...quiet], { cwd: folder, stdio: 'ignore', timeout: NPM_MS });
  for (const name of ['packages.mjs', 'outcome.mjs']) {
    copyFileSync(join(import.meta.dirname, name), join(folder, name));
  }
  return besidePostgres(folder, (port) => {
    const options = { cwd: folder, encoding: 'utf8', timeout: PROBES_MS, stdio: 'pipe' };
    const text = execFileSync(process.execPath, ['packages.mjs', String(port)], options);
    return JSON.parse(text.slice(text.lastIndexOf('@@') + 2));
  });
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** An empty page, and a WebSocket that only opens. */
async function served(work) {
  const server = createServer((_, response) => response.end('<!doctype html>'));
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1')
      .update(headers['sec-websocket-key'] + MAGIC)
      .digest('base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.on('error', () => {});
    socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
  });
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function probePages() {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--enable-unsafe-webgpu',
      '--use-webgpu-adapter=swiftshader',
    ],
  });
  const found = {};
  await served(async (url) => {
    const page = await browser.newPage();
    await page.goto(url);
    await page.addScriptTag({ content: String(outcome) });
    for (const [model, probe] of Object.entries(PAGE_PROBES)) {
      const notProbed = (error) => [`not probed: ${error.message.split('\n')[0]}`, ''];
      found[model] = await page.evaluate(`({ ${probe} })['${model}']()`).catch(notProbed);
    }
  });
  await browser.close();
  return { found, on: `Chromium ${browser.version()}` };
}

/** Escapes characters that would end a table cell. */
const cell = (text) => text.replaceAll('|', '\\|');

function table(rows) {
  const lines = rows
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((row) => `| ${row.map(cell).join(' | ')} |`);
  return ['| model | on | second release | late use |', '|---|---|---|---|', ...lines].join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'poundlock-probes-'));
try {
  const packages = probePackages(folder);
  const pages = await probePages();
  const rows = [
    ...Object.entries(packages).map(([model, row]) => {
      const name = OF[model];
      return [model, name ? `${name} ${PACKAGES[name]}` : `Node ${process.versions.node}`, ...row];
    }),
    ...Object.entries(pages.found).map(([model, row]) => [model, pages.on, ...row]),
  ];
  putIntoPage('lint-probes', 'probes', table(rows));
  console.log(table(rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
