import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
const child = spawn(
  process.execPath,
  ['packages/poundlock/bin/poundlock.js', 'explore', process.argv[2]],
  { env: { ...process.env, POUNDLOCK_EXPLORER: '/tmp/play/explorer' } },
);
child.stderr.on('data', (d) => console.log(String(d)));
const url = await new Promise((r) =>
  child.stdout.on('data', (d) => {
    const m = /(http:\S+)/.exec(String(d));
    if (m) r(m[1]);
  }),
);
const b = await chromium.launch({ executablePath: '/usr/bin/chromium' });
const page = await b.newPage({
  viewport: { width: +(process.argv[4] ?? 1400), height: 900 },
  colorScheme: process.argv[5] ?? 'light',
});
page.on('console', (m) => console.log('console', m.type(), m.text()));
page.on('pageerror', (e) => console.log('ERR', e.message));
await page.goto(url + '#view=time');
const t = performance.now();
try {
  await page.waitForSelector('.what-if, .problem', { timeout: 30000 });
  console.log(await page.textContent('.timing'));
} catch (e) {
  console.log(e.message);
}
console.log(performance.now() - t);
await page.waitForTimeout(500);
await page.screenshot({ path: process.argv[3] });
await b.close();
child.kill('SIGINT');
setTimeout(() => process.exit(), 500);
