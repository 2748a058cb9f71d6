// Places of one line where several roles do the same: the first one says it for all of them.
import { list } from '@poundlock/core/internal/system';
import type { SourceLocation } from '@poundlock/core/internal/finding';

/** From this many roles on, they share a text. */
const LEAST = 3;

/** The places of a line, those of which only the role differs as one. */
export function joined<P extends SourceLocation>(places: readonly P[]): P[] {
  const alike = Map.groupBy(places, (place) => {
    const { column, role, text } = place;
    return role !== undefined && text.startsWith(`${role} `)
      ? `${column} ${text.slice(role.length)}`
      : place;
  });
  return [...alike.values()].flatMap((group) => {
    if (group.length < LEAST) return group;
    const [first, ...others] = group;
    const roles = list(others.map(({ role }) => role!));
    return [{ ...first!, text: `${first!.text}; ${roles} as well` }];
  });
}
