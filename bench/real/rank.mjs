// How well predictions order the configurations of one problem, as an autotuner tries them.

/** The fewest configurations of a problem. */
const LEAST = 6;

/** Launches of kernels of one name with the same buffers are configurations of one problem. */
function problemOf({ name, launch: { pointers = [] } }) {
  const kernel = name
    .split('/')
    .at(-2)
    .replace(/-[0-9a-f]+$/, '');
  const buffers = pointers.map(({ left }) => left).toSorted((one, other) => one - other);
  return JSON.stringify([name.split('/')[0], kernel, buffers]);
}

function ranksOf(values) {
  const order = values
    .map((_, index) => index)
    .toSorted((one, other) => values[one] - values[other]);
  const ranks = [];
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return ranks;
}

/** Spearman's coefficient of two lists of times. */
function spearman(one, other) {
  const [ranks, others] = [ranksOf(one), ranksOf(other)];
  const squares = ranks.reduce((sum, rank, index) => sum + (rank - others[index]) ** 2, 0);
  return 1 - (6 * squares) / (ranks.length * (ranks.length ** 2 - 1));
}

/** A table of problems; rows are launches with `time` and `got`. */
export function rankLines(rows) {
  const timed = rows.filter(({ got }) => typeof got === 'number');
  const lines = [
    '| problem | configurations | slowest against fastest | Spearman | the one that is predicted to be fastest |',
    '|---|---:|---:|---:|---:|',
  ];
  for (const [problem, all] of Map.groupBy(timed, problemOf)) {
    if (all.length < LEAST) continue;
    const times = all.map(({ time }) => time);
    const best = all.reduce((least, one) => (one.got < least.got ? one : least));
    const [group, kernel] = JSON.parse(problem);
    const rho = spearman(
      times,
      all.map(({ got }) => got),
    );
    const [fastest, slowest] = [Math.min(...times), Math.max(...times)];
    const over = Math.round(100 * (best.time / fastest - 1));
    const chosen = over === 0 ? 'is the fastest' : `takes ${over} % longer`;
    const spread = `${(slowest / fastest).toFixed(1)} ×`;
    lines.push(
      `| ${group}, \`${kernel}\` | ${all.length} | ${spread} | ${rho.toFixed(2)} | ${chosen} |`,
    );
  }
  return lines;
}
