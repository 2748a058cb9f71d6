// Names in exported text: without control characters, and without what ends a comment.
import { displayName } from '@poundlock/core/internal/base';

/** A name that may stand in a comment or a string of every target language. */
export function shownName(name: string): string {
  return displayName(name).replaceAll(/([*(/])(?=[*)/])/g, '$1 ');
}

/** `stages=2`, for each parameter. */
export function shownParameters(params: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(params).map(([name, value]) => shownName(`${name}=${String(value)}`));
}
