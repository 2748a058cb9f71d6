// Browsers, and contexts and pages that are created separately.
import type { AcquireCall, ResourceModel } from '../model.ts';

/** The exports of the packages that launch a browser, including wrappers. */
const DRIVER =
  /^(chromium|firefox|webkit|browserType|(playwright|pw)\.(\w+|\[\])|(\w+\.)?puppeteer)$/;
const WINDOW = /headless:\s*false/;
const BROWSER = /[bB]rowser(\(\))?$/;

function context(call: string): AcquireCall {
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
    { call: 'launch', async: true, receiver: DRIVER, withText: /^(?![\s\S]*headless:\s*false)/ },
    // A user may close a window.
    { call: 'launch', async: true, receiver: DRIVER, withText: WINDOW, whenReleased: true },
    { call: 'launch', async: true, receiver: /(^Cluster|[lL]auncher)$/, whenReleased: true },
    { call: 'connect', async: true, receiver: DRIVER },
    { call: 'connectOverCDP', async: true, receiver: DRIVER },
    { call: 'launchPersistentContext', type: 'BrowserContext', async: true, receiver: DRIVER },
    context('newContext'),
    context('createBrowserContext'),
    context('createIncognitoBrowserContext'),
    { call: 'newPage', type: 'Page', async: true, on: ['Browser'], receiver: BROWSER },
    // Closing the context closes its pages, often in another function.
    {
      call: 'newPage',
      type: 'Page',
      async: true,
      on: ['BrowserContext'],
      receiver: /([cC]ontext|ctx)(\(\))?$/,
      whenReleased: true,
    },
  ],
  // A connected browser is released by `disconnect`.
  release: ['close', 'disconnect', 'kill', '[Symbol.asyncDispose]'],
  idempotent: true,
  // Answered from what the client has stored.
  safe: ['contexts', 'browserContexts', 'browserType', 'process', 'wsEndpoint', 'url'],
  receiverRelease: ['close', 'disconnect'],
  doubleRelease: 'ok',
  useAfterRelease: 'TargetClosedError',
  leak: 'browser process',
  evidence: 'source',
};
