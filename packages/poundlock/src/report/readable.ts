// Where the source of a kernel as built is not here, its places are lines of the PTX.
import type { SourceLocation } from '@poundlock/core/internal/finding';
import type { SourceLine } from './frame.ts';

/** A place whose source can be shown. */
export interface ReadablePlace extends SourceLocation {
  /** The place that it stands for, in a source that is not here. */
  readonly origin?: string;
}

/** The places, those of a missing source in the PTX that was built from it. */
export function readablePlaces(
  places: readonly SourceLocation[],
  sourceLine: SourceLine,
): ReadablePlace[] {
  return places.map(({ ptx, ...place }) => {
    if (ptx === undefined || sourceLine(place.file, place.line) !== undefined) return place;
    const text = sourceLine(ptx.file, ptx.line);
    if (text === undefined) return place;
    const column = 1 + Math.max(0, text.search(/\S/));
    return { ...place, ...ptx, column, origin: `${place.file}:${place.line}` };
  });
}
