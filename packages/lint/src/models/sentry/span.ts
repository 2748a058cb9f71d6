// Spans of Sentry that their creator must end.
import type { ResourceModel } from '../model.ts';

export const sentrySpan: ResourceModel = {
  id: 'sentry.span',
  modules: [
    '@sentry/core',
    '@sentry/node',
    '@sentry/browser',
    '@sentry/react',
    '@sentry/nextjs',
    '@sentry/bun',
    '@sentry/cloudflare',
  ],
  types: ['Span'],
  acquire: [
    { call: 'startInactiveSpan', receiver: /^Sentry$|^startInactiveSpan$/ },
    { call: 'startSpanManual', callback: 0, receiver: /^Sentry$|^startSpanManual$/ },
  ],
  release: ['end', 'finish'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'attributes set then are ignored',
  leak: 'span never sent',
  evidence: 'unverified',
};
