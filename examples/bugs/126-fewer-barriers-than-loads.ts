// Each round, two warpgroups take four rows each from a ring with six barriers.
// A fuser numbers the loads of a round and takes the barrier with that number modulo the stages. Eight
// loads go over six barriers, so that barriers 0 and 1 each get a row of both groups in one round, and
// neither group waits for the row of the other. A parity stands for two rows.
// The fix: as many stages as loads in a round.
// https://github.com/NVIDIA/Fuser/pull/5862
import { arrive, asyncCopy, barrier, buffer, kernel, read, role, UNITS, wait } from 'poundlock';

const GROUPS = 2;
const ROWS = 4;
const BYTES = 1024;

export default kernel('rows', { fixed: false, rounds: 2 }, ({ fixed, rounds }) => {
  const stages = fixed ? GROUPS * ROWS : 6;
  const row = Array.from({ length: stages }, (_, s) => buffer(`row[${s}]`, { bytes: BYTES }));
  const full = row.map((_, s) => barrier(`full[${s}]`));
  const empty = row.map((_, s) => barrier(`empty[${s}]`));
  const of = (round: number, group: number, r: number) => {
    const n = round * GROUPS * ROWS + group * ROWS + r;
    return { s: n % stages, lap: Math.floor(n / stages) };
  };
  const load = role('load', function* () {
    for (let round = 0; round < rounds; round++) {
      for (let group = 0; group < GROUPS; group++) {
        for (let r = 0; r < ROWS; r++) {
          const { s, lap } = of(round, group, r);
          yield* wait(empty[s]!, lap - 1);
          arrive(full[s]!, { bytes: BYTES });
          asyncCopy(UNITS.tma, { into: [row[s]!], bar: full[s]!, bytes: BYTES });
        }
      }
    }
  });
  const compute = (group: number) =>
    role(`compute${group}`, function* () {
      for (let round = 0; round < rounds; round++) {
        for (let r = 0; r < ROWS; r++) {
          const { s, lap } = of(round, group, r);
          yield* wait(full[s]!, lap);
          read(row[s]!);
        }
        for (let r = 0; r < ROWS; r++) arrive(empty[of(round, group, r).s]!); // all rows at once
      }
    });
  return [load, compute(0), compute(1)];
});
