// Handles of objects in a page.
import type { Model } from '../model.ts';

export const pwHandle: Model = {
  id: 'pw.handle',
  modules: ['playwright', 'playwright-core', 'puppeteer'],
  types: ['JSHandle', 'ElementHandle'],
  acquire: [
    { call: 'evaluateHandle', async: true, on: ['Page', 'Frame'], receiver: /(page|frame)$/ },
  ],
  release: ['dispose', '[Symbol.asyncDispose]'],
  idempotent: true,
  doubleRelease: 'ok',
  useAfterRelease: 'error',
  leak: 'remote object pinned',
  evidence: 'source',
};
