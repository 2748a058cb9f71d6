// Two dumps of one hang: what moved between them.
import type { HangTable, TableRow } from '../../hang/index.ts';

function keyOf({ cta, warp, lanes }: TableRow): string {
  return `${cta.join()} ${warp} ${lanes.join()}`;
}

/** Each change between two tables, a sentence each; one sentence where there is none. */
export function changesBetween(before: HangTable, after: HangTable): string[] {
  const known = new Map(before.rows.map((row) => [keyOf(row), row]));
  const moved = after.rows.filter((row) => {
    const old = known.get(keyOf(row));
    return old === undefined || old.pc !== row.pc;
  });
  const words = new Map(
    before.barriers.map((each) => [`${each.cta.join()} ${each.address}`, each]),
  );
  const changed = after.barriers.filter((each) => {
    const old = words.get(`${each.cta.join()} ${each.address}`);
    return JSON.stringify(old) !== JSON.stringify(each);
  });
  if (moved.length === 0 && changed.length === 0)
    return ['between the two dumps no warp moved, and no barrier changed'];
  const names = [...new Set(moved.map(({ warp }) => `warp ${warp}`))];
  const barriers = [...new Set(changed.map(({ name, address }) => name ?? address.toString(16)))];
  return [
    ...(names.length === 0 ? [] : [`between the two dumps moved: ${names.join(', ')}`]),
    ...(barriers.length === 0 ? [] : [`between the two dumps changed: ${barriers.join(', ')}`]),
  ];
}
