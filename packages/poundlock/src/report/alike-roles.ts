// Roles that spend their time alike, such as the warps of a warpgroup, share a row or a column.
import { list } from '@poundlock/core/internal/system';

/** Roles in a row of which the same is shown. */
export interface AlikeRoles {
  /** `warp4–warp7`. */
  readonly name: string;
  /** The indices of the roles. */
  readonly roles: readonly number[];
}

/**
 * Groups neighbors of which the same is shown.
 *
 * @param names The names of the roles, in order.
 * @param shownOf What is shown of a role but for its name, as text.
 *
 * @example
 * alikeRoles(['load', 'warp1', 'warp2'], (role) => (role === 0 ? '90 %' : '10 %'));
 * // [{ name: 'load', roles: [0] }, { name: 'warp1 and warp2', roles: [1, 2] }]
 */
export function alikeRoles(
  names: readonly string[],
  shownOf: (role: number) => string,
): AlikeRoles[] {
  const groups: { key: string; roles: number[] }[] = [];
  for (const role of names.keys()) {
    const key = shownOf(role);
    const last = groups.at(-1);
    if (last?.key === key) last.roles.push(role);
    else groups.push({ key, roles: [role] });
  }
  return groups.map(({ roles }) => ({ name: list(roles.map((role) => names[role]!)), roles }));
}
