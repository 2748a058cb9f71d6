// What a verdict assumes where a long row of tries was cut off, and taken for a poll (P07).
import type { Assumption } from '@poundlock/core/internal/finding';
import type { Program } from '@poundlock/core/internal/program';
import { formatNumber } from '@poundlock/core/internal/system';

/** The assumption `poll` of a proof about a program, or `null` where its text shows every poll. */
export function pollAssumption({ rows, roles }: Program): Assumption | null {
  const [first] = rows.assumed.values();
  if (first === undefined) return null;
  const { name } = roles[first.role]!;
  const at = first.place === undefined ? '' : ` in line ${first.place.line}`;
  const text =
    `${formatNumber(rows.most)} tries of role ${name}${at} were followed in every combination, ` +
    'and its text does not show that only a success ends them';
  return { name: 'poll', text };
}
