// Which rows of a table a fit sees: not all of them, and without a period.

/** Rows of each program that the fit sees, at most a part; the others say how good it is. */
const ROWS = 40;
const PART = 2 / 3;

/** A spread of rows that follows no period of the table: steps of the golden ratio. */
export function spread<Row>(rows: readonly Row[]): ReadonlySet<Row> {
  const most = Math.min(ROWS, Math.ceil(PART * rows.length));
  const golden = (Math.sqrt(5) - 1) / 2;
  const picked = new Set<Row>();
  // Each step falls on a row of its own but for a few: three times as many are enough.
  for (let i = 0; picked.size < most && i < 3 * most; i++) {
    picked.add(rows[Math.floor(((i * golden) % 1) * rows.length)]!);
  }
  return picked;
}
