// Timelines of a simulation for trace viewers, written by `--trace FILE`.
import { displayJson } from '@poundlock/core/internal/base';
import type { Report } from '@poundlock/core/internal/finding';
import { displayedReport } from '../displayed.ts';
import { chromeTrace } from './chrome.ts';
import { kanataLog } from './kanata.ts';

export type TraceFormat = 'chrome' | 'kanata';

/** Every trace format: Chrome's, which Perfetto reads, and Kanata's for Konata. */
export const TRACE_WRITERS = {
  chrome: (report) => displayJson(chromeTrace(report)),
  kanata: (report) => kanataLog(displayedReport(report)),
} as const satisfies Record<TraceFormat, (report: Report<'simulate'>) => string>;
