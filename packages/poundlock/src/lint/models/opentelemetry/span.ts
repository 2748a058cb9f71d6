// Spans: ended on errors, too.
import type { Model } from '../model.ts';

export const otelSpan: Model = {
  id: 'otel.span',
  modules: ['@opentelemetry/api'],
  types: ['Span'],
  acquire: [{ call: 'startSpan', on: ['Tracer'], receiver: /[tT]racer(\(\))?$/ }],
  release: ['end'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'logged, ignored',
  useAfterRelease: 'ignored',
  leak: 'span never exported',
  evidence: 'unverified',
};
