// Spans: ended on errors, too.
import type { ResourceModel } from '../model.ts';

export const otelSpan: ResourceModel = {
  id: 'otel.span',
  modules: ['@opentelemetry/api', 'opentracing', 'dd-trace'],
  types: ['Span'],
  acquire: [
    { call: 'startSpan', on: ['Tracer'], receiver: /[tT]racer(\(\))?$/ },
    { call: 'startSpan', receiver: /./, whenReleased: true, evenInProject: true },
    { call: 'startActiveSpan', callback: 0, on: ['Tracer'], receiver: /[tT]racer(\(\))?$/ },
  ],
  release: ['end', 'finish'],
  // A function that receives the context may look up the span.
  borrowers: ['setSpan'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'is logged as an error and ignored',
  useAfterRelease: 'attributes set then are ignored, with a warning',
  leak: 'span never exported',
  evidence: 'probed',
};
