// Source positions as SARIF locations: files relative to the working directory, as URIs.
import type { Location, PhysicalLocation } from 'sarif';

/** The base of every relative URI: readers put the root of their checkout there. */
export const ROOT = '%SRCROOT%';

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]+:|\/)/i;

function artifact(file: string) {
  if (ABSOLUTE.test(file)) return { uri: encodeURI(file) };
  return { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: ROOT };
}

/** A file, or a line in it. */
export function physicalLocation(file: string, line?: number, column?: number): PhysicalLocation {
  const artifactLocation = artifact(file);
  if (line === undefined) return { artifactLocation };
  const region = { startLine: line, ...(column !== undefined && { startColumn: column }) };
  return { artifactLocation, region };
}

/** The parts of a location; a step without a source line has no file. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The role or unit of the location. */
  readonly agent?: string | undefined;
  readonly text?: string;
  readonly id?: number;
}

/** A position, its agent, and what happens there. */
export function location({ file, line, column, agent, text, id }: Where): Location {
  return {
    ...(id !== undefined && { id }),
    ...(file !== undefined && { physicalLocation: physicalLocation(file, line, column) }),
    ...(agent !== undefined && { logicalLocations: [{ name: agent }] }),
    ...(text !== undefined && { message: { text } }),
  };
}
