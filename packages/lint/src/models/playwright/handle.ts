// Handles of objects in a page, and sessions of its debugger.
import type { ResourceModel } from '../model.ts';

export const pwHandle: ResourceModel = {
  id: 'pw.handle',
  modules: ['playwright', 'playwright-core', 'puppeteer', 'puppeteer-core'],
  types: ['JSHandle', 'ElementHandle'],
  acquire: [
    { call: 'evaluateHandle', async: true, on: ['Page', 'Frame'], receiver: /([pP]age|[fF]rame)$/ },
  ],
  release: ['dispose', '[Symbol.asyncDispose]'],
  borrowers: ['evaluate', 'evaluateHandle'],
  // Closing the page releases its handles.
  receiverRelease: ['close'],
  idempotent: true,
  doubleRelease: 'ok',
  useAfterRelease: 'error',
  leak: 'remote object pinned',
  evidence: 'source',
};

/** Closing the page ends its sessions: reported only where a function detaches one. */
export const pwSession: ResourceModel = {
  id: 'pw.session',
  modules: pwHandle.modules,
  types: ['CDPSession'],
  acquire: [
    { call: 'newCDPSession', async: true, receiver: /./, whenReleased: true },
    { call: 'createCDPSession', async: true, receiver: /./, whenReleased: true },
  ],
  release: ['detach'],
  receiverRelease: ['close'],
  doubleRelease: 'rejects',
  useAfterRelease: 'rejects `Session closed`',
  leak: 'the session stays attached until its page closes',
  evidence: 'unverified',
};
