// Observers of a document: the obligation starts with `observe`.
import type { ResourceModel } from '../model.ts';

export const webObserver: ResourceModel = {
  id: 'web.observer',
  modules: ['lib', 'node:perf_hooks'],
  types: ['MutationObserver', 'ResizeObserver', 'IntersectionObserver', 'PerformanceObserver'],
  acquire: [
    { call: 'MutationObserver', construct: true },
    { call: 'ResizeObserver', construct: true },
    { call: 'IntersectionObserver', construct: true },
    { call: 'PerformanceObserver', construct: true },
  ],
  // An observer without targets is garbage-collected.
  release: ['disconnect', 'unobserve'],
  idempotent: true,
  starts: ['observe'],
  doubleRelease: 'no-op',
  useAfterRelease: 'restarts',
  leak: 'listener: callbacks keep running',
  mildLeak: 'listener',
  evidence: 'probed',
};
