// Browsers, contexts and pages of their own.
import type { Acquire, ResourceModel } from '../model.ts';

/** What drives a browser, as its packages export it, also through wrappers of it. */
const DRIVER =
  /^(chromium|firefox|webkit|browserType|(playwright|pw)\.(\w+|\[\])|(\w+\.)?puppeteer)$/;
const BROWSER = /[bB]rowser(\(\))?$/;

function context(call: string): Acquire {
  return { call, type: 'BrowserContext', async: true, on: ['Browser'], receiver: BROWSER };
}

export const pwBrowser: ResourceModel = {
  id: 'pw.browser',
  modules: [
    'playwright',
    'playwright-core',
    'playwright-chromium',
    'playwright-firefox',
    'playwright-webkit',
    'playwright-extra',
    '@playwright/test',
    'patchright',
    'puppeteer',
    'puppeteer-core',
    'puppeteer-extra',
    '@cloudflare/puppeteer',
    'rebrowser-puppeteer',
    'rebrowser-puppeteer-core',
    'puppeteer-cluster',
    'chrome-launcher',
  ],
  types: ['Browser', 'BrowserContext', 'Page'],
  acquire: [
    { call: 'launch', async: true, receiver: DRIVER },
    { call: 'launch', async: true, receiver: /(^Cluster|[lL]auncher)$/, whenReleased: true },
    { call: 'connect', async: true, receiver: DRIVER },
    { call: 'connectOverCDP', async: true, receiver: DRIVER },
    { call: 'launchPersistentContext', type: 'BrowserContext', async: true, receiver: DRIVER },
    context('newContext'),
    context('createBrowserContext'),
    context('createIncognitoBrowserContext'),
    { call: 'newPage', type: 'Page', async: true, on: ['Browser'], receiver: BROWSER },
    // Whoever has the context closes it with its pages, often elsewhere.
    {
      call: 'newPage',
      type: 'Page',
      async: true,
      on: ['BrowserContext'],
      receiver: /([cC]ontext|ctx)(\(\))?$/,
      whenReleased: true,
    },
  ],
  // A browser that was connected to is left by `disconnect`.
  release: ['close', 'disconnect', 'kill', '[Symbol.asyncDispose]'],
  idempotent: true,
  receiverRelease: ['close', 'disconnect'],
  doubleRelease: 'ok',
  useAfterRelease: 'TargetClosedError',
  leak: 'browser process',
  evidence: 'source',
};
