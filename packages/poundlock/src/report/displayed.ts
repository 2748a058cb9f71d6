// Reports for people: control characters in names and messages are escaped before rendering.
import { displayJson, displaySource, displayText } from '@poundlock/core/internal/base';
import type { Report } from '@poundlock/core/internal/finding';
import type { Reporter } from './reporter.ts';

/** Text that replaces source text: it has line breaks. */
const VERBATIM: ReadonlySet<string> = new Set(['edits']);

/** A reporter whose names, messages and source lines have no control characters. */
export function displayed({ name, render }: Reporter): Reporter {
  return {
    name,
    render: (report, environment) =>
      render(displayedReport(report), {
        ...environment,
        sourceLine: (file, line) => {
          const text = environment.sourceLine(file, line);
          return text === undefined ? undefined : displaySource(text);
        },
      }),
  };
}

/** A reporter of JSON, whose strings keep their values. */
export function displayedAsJson({ name, render }: Reporter): Reporter {
  return { name, render: (report, environment) => displayJson(render(report, environment)) };
}

export function displayedReport<R extends Report>(report: R): R {
  return displayedValue(report) as R;
}

function displayedValue(value: unknown): unknown {
  if (typeof value === 'string') return displayText(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(displayedValue);
  if (value instanceof Map)
    return new Map([...value].map((entry) => entry.map(displayedValue) as never));
  const entries = Object.entries(value).map(([key, one]) => {
    return [displayText(key), VERBATIM.has(key) ? one : displayedValue(one)] as const;
  });
  return Object.fromEntries(entries);
}
