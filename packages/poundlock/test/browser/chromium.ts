// Finds a Chromium on this machine, or installs Debian's where that is allowed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FOLDERS = [...new Set([...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'])];
/** The first one that runs `using`, which program texts are full of. */
const OLDEST_MAJOR = 134;
const INSTALL_TIMEOUT_MS = 240_000;
const START_TIMEOUT_MS = 20_000;

/** Every program of one of these names, the likeliest first. */
function programs(names: readonly string[]): string[] {
  const paths = names.flatMap((name) => FOLDERS.map((folder) => join(folder, name)));
  return paths.filter((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function aptGet(...words: string[]): boolean {
  const options = ['-y', '-o', 'DPkg::Lock::Timeout=60'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', [...options, ...words], {
    env,
    timeout: INSTALL_TIMEOUT_MS,
  });
  return status === 0;
}

function install(): void {
  if (process.getuid?.() !== 0 || programs(['apt-get']).length === 0) return;
  const words = ['install', '--no-install-recommends', 'chromium'];
  // The lists of packages may be missing or old.
  if (!aptGet(...words) && aptGet('update')) aptGet(...words);
}

async function started(executablePath: string): Promise<Browser | string> {
  try {
    const browser = await chromium.launch({ executablePath, timeout: START_TIMEOUT_MS });
    if (parseInt(browser.version(), 10) >= OLDEST_MAJOR) return browser;
    await browser.close();
    return `${executablePath} is older than Chromium ${OLDEST_MAJOR}, the first with using`;
  } catch (error) {
    return `${executablePath} does not start: ${String(error).split('\n')[0]}`;
  }
}

/** A headless browser, or why there is none. */
export async function startChromium(): Promise<Browser | string> {
  if (programs(NAMES).length === 0) install();
  let reason = 'no Chromium here: install one, for example with `apt-get install chromium`';
  for (const path of programs(NAMES)) {
    const answer = await started(path);
    if (typeof answer !== 'string') return answer;
    reason = answer;
  }
  return reason;
}
