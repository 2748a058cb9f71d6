// The programs that SPIN has judged, and the page that sets both verdicts side by side.
import { table } from './fixtures.ts';
import type { OurVerdict, Params } from './verdict-of.ts';

export interface SpinVerdict {
  readonly model: string;
  readonly variant: string;
  readonly params: Params;
  readonly verdict: string;
  readonly states: number;
  /** The length of its counterexample, 0 where it has none; the shortest one if it is known. */
  readonly steps: number;
  readonly isShortest: boolean;
}

/** The parameters that macros such as `-DS=3 -DBUG_EARLY` are. */
export function paramsOf(macros: string): Params {
  const pairs = macros.split(' ').map((macro) => {
    const [name, value] = macro.replace(/^-D/, '').split('=');
    return [name!, value === undefined ? true : Number(value)] as const;
  });
  return Object.fromEntries(pairs);
}

function spinVerdict(row: Record<string, string>): SpinVerdict {
  return {
    model: row['model']!,
    variant: row['variant']!,
    params: paramsOf(row['extra']!),
    verdict: row['verdict']!,
    states: Number(row['states']),
    steps: Number(row['cex_steps']),
    isShortest: row['mode'] === 'bfs',
  };
}

/** The 39 programs with SPIN's shortest counterexamples. */
export function verdicts(): SpinVerdict[] {
  return table('results.csv')
    .map(spinVerdict)
    .filter((row) => row.isShortest);
}

/** 81 more, with counterexamples that a depth-first search met. */
export function grid(): SpinVerdict[] {
  return table('grid.csv').map(spinVerdict);
}

export interface Row {
  readonly spin: SpinVerdict;
  readonly ours: OurVerdict;
}

const HEAD = `# Verdicts of SPIN and of poundlock

Every program of \`examples/models\` that SPIN 6.5.2 has judged, with its Promela model in \`bench/promela\`. Produced by a test
(\`UPDATE_DOCS=1 npm test -- conformance\`), which checks each program again and fails when a verdict differs, or when a schedule of poundlock
is longer than the counterexample of SPIN.

SPIN starts and ends its processes in steps of their own and needs two for an access; poundlock has one move for an access, and reports
a race before either access. So the numbers of steps are comparable as upper bounds: those of poundlock must not be larger.
`;

/** The page: both tables. */
export function page(known: readonly Row[], more: readonly Row[]): string {
  const first = section(
    'Verdicts',
    'SPIN searched breadth first: its steps are the shortest.',
    known,
  );
  const second = section(
    'Grid',
    'SPIN searched depth first: its steps are some, not the fewest.',
    more,
  );
  return `${HEAD}\n${first}\n${second}`;
}

function section(title: string, note: string, rows: readonly Row[]): string {
  const lines = rows.map(({ spin, ours }) => {
    const cells = [
      spin.model,
      spin.variant,
      shown(spin.params),
      spin.verdict,
      ours.isCertified ? 'certified' : 'counterexample',
      ours.isCertified ? '' : ours.rule,
      grouped(spin.states),
      grouped(ours.states),
      ours.isCertified ? '' : grouped(spin.steps),
      ours.isCertified ? '' : grouped(ours.steps),
    ];
    return `| ${cells.join(' | ')} |\n`;
  });
  const same = rows.filter(({ spin, ours }) => (spin.verdict === 'PASS') === ours.isCertified);
  return (
    `## ${title}\n\n${note} ${same.length} of ${rows.length} verdicts agree.\n\n` +
    '| model | variant | parameters | SPIN | ours | rule found | SPIN states | our states ' +
    '| SPIN steps | our steps |\n|---|---|---|---|---|---|--:|--:|--:|--:|\n' +
    lines.join('')
  );
}

function shown(params: Params): string {
  const text = ([name, value]: [string, unknown]) => (value === true ? name : `${name}=${value}`);
  return Object.entries(params).map(text).join(' ');
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
