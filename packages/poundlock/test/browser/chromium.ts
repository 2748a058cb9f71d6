// Finds a Chromium on this machine.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FOLDERS = [...new Set([...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'])];
/** The first one that runs `using`, which program texts are full of. */
const OLDEST_MAJOR = 134;
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
  let reason = 'no Chromium here: `npm run setup:browser` installs one';
  for (const path of programs(NAMES)) {
    const answer = await started(path);
    if (typeof answer !== 'string') return answer;
    reason = answer;
  }
  return reason;
}
