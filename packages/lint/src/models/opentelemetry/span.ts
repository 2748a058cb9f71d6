// Spans: ended on errors, too.
import type { ResourceModel } from '../model.ts';

export const otelSpan: ResourceModel = {
  id: 'otel.span',
  modules: ['@opentelemetry/api', 'opentracing', 'dd-trace'],
  types: ['Span'],
  acquire: [
    { call: 'startSpan', on: ['Tracer'], receiver: /[tT]racer(\(\))?$/ },
    { call: 'startSpan', receiver: /./, whenReleased: true, evenOwn: true },
    { call: 'startActiveSpan', callback: 0, on: ['Tracer'], receiver: /[tT]racer(\(\))?$/ },
  ],
  release: ['end', 'finish'],
  // What gets the context may look the span up, to add to it.
  borrowers: ['setSpan'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'is logged as an error and ignored',
  useAfterRelease: 'attributes set then are ignored, with a warning',
  leak: 'span never exported',
  evidence: 'probed',
};
