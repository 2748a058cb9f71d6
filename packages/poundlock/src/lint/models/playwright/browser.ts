// Browsers, contexts and pages of their own.
import type { Model } from '../model.ts';

export const pwBrowser: Model = {
  id: 'pw.browser',
  modules: ['playwright', 'playwright-core', '@playwright/test', 'puppeteer', 'puppeteer-core'],
  types: ['Browser', 'BrowserContext', 'Page'],
  acquire: [
    {
      call: 'launch',
      async: true,
      receiver: /^(chromium|firefox|webkit|playwright\.\w+|puppeteer|browserType)$/,
    },
    {
      call: 'newContext',
      type: 'BrowserContext',
      async: true,
      on: ['Browser'],
      receiver: /browser$/,
    },
    { call: 'newPage', type: 'Page', async: true, on: ['Browser'], receiver: /browser$/ },
  ],
  release: ['close', '[Symbol.asyncDispose]'],
  idempotent: true,
  receiverRelease: ['close'],
  doubleRelease: 'ok',
  useAfterRelease: 'TargetClosedError',
  leak: 'browser process',
  evidence: 'source',
};
