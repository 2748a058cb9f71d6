// What the chunks of a run come to together.
import type { ChunkResult, KindName } from '@poundlock/fuzz';
import { writeAtomically, type Host } from '@poundlock/core/internal/host';
import { fuzzText, type FuzzReport, type ShownDisagreement } from '../../report/fuzz/index.ts';
import type { FuzzPlan } from '../jobs/plan.ts';
import { version } from '../version.ts';
import { paintFor } from '../reporter-environment.ts';
import { openFuzz } from './open-fuzz.ts';

/** Adds up results; they may be of several runs. */
export class FuzzSum {
  readonly disagreements = new Map<string, ShownDisagreement>();
  readonly #answers: Record<string, Record<string, number>> = {};
  #chunks = 0;
  #tried = 0;
  #decided = 0;

  get programs(): number {
    return this.#tried;
  }

  add({ tried, decided, answers }: ChunkResult): void {
    this.#chunks++;
    this.#tried += tried;
    this.#decided += decided;
    for (const [kind, counts] of Object.entries(answers)) {
      const sums = (this.#answers[kind] ??= {});
      for (const [verdict, many] of Object.entries(counts)) {
        sums[verdict] = (sums[verdict] ?? 0) + many;
      }
    }
  }

  /** The same for the same results, in whatever order they were added. */
  async report({ kinds, seed }: Pick<FuzzPlan, 'kinds' | 'seed'>): Promise<FuzzReport> {
    const { kindTitle } = await openFuzz();
    const inOrder = <T>(table: Readonly<Record<string, T>>): [string, T][] =>
      Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const found = [...this.disagreements].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      schema: 'poundlock/fuzz@1',
      tool: { name: 'poundlock', version: version() },
      seed,
      kinds: Object.fromEntries(kinds.map((kind: KindName) => [kind, kindTitle(kind)])),
      chunks: this.#chunks,
      programs: this.#tried,
      decided: this.#decided,
      answers: Object.fromEntries(
        inOrder(this.#answers).map(([kind, counts]) => [kind, Object.fromEntries(inOrder(counts))]),
      ),
      disagreements: found.map(([, shown]) => shown),
    };
  }
}

/** The table on stdout, and a document on stdout or in a file. */
export function writeFuzz(report: FuzzReport, json: string | true | undefined, host: Host): void {
  const document = `${JSON.stringify(report, null, 2)}\n`;
  if (json === true) host.stdout.write(document);
  else host.stdout.write(fuzzText(report, paintFor(host.stdout, host.env)));
  if (typeof json === 'string') writeAtomically(json, host.cwd, document);
}
