// Compares the calculus with executions of random programs. By hand:
// node --conditions=poundlock-source packages/lint/test/calculus/compare.ts 100000 [FROM] | show SEED
import { Summaries } from '#src/calculus/summaries';
import type { Weakened } from '#src/calculus/weaken';
import { explore } from './run.ts';
import { CLOSURES, generate } from './random.ts';

export interface Compared {
  readonly unsound: readonly number[];
  readonly bad: number;
  readonly right: number;
  readonly refused: number;
  readonly open: number;
  readonly accepted: number;
  readonly reasons: ReadonlyMap<string, { count: number; seed: number }>;
}

/** The functions that `main` reaches, itself excluded. */
function reached(body: (f: unknown) => { readonly body: unknown } | undefined): number[] {
  const seen = new Set([0]);
  for (const f of seen) {
    for (const [, g] of JSON.stringify(body(f)!.body).matchAll(/"f":(\d+)/g)) seen.add(Number(g));
  }
  return [...seen].filter((f) => f !== 0);
}

export function compare(count: number, from: number, weakened?: Weakened): Compared {
  const unsound: number[] = [];
  const reasons = new Map<string, { count: number; seed: number }>();
  let [bad, right, refused, open, accepted] = [0, 0, 0, 0, 0];
  for (let seed = from; seed < from + count; seed++) {
    const body = generate(seed);
    const summaries = new Summaries(body, { cap: 64, total: 20_000, weakened });
    const verdict = summaries.of(0)!;
    const isAccepted = [0, ...reached(body)].every(
      (f) => f >= CLOSURES || summaries.of(f)?.summary !== undefined,
    );
    const main = explore(body);
    const wrong = new Set(main.bad);
    let isOpen = !main.holds || !main.isComplete;
    for (const f of reached(body)) {
      const summary = summaries.of(f)?.summary;
      const { length } = body(f)!.parameters;
      const masks = Array.from({ length: 1 << length }, (_, mask) =>
        Array.from({ length }, (_each, index) => ((mask >> index) & 1) === 1),
      );
      const tries = summary
        ? [explore(body, f, summary.owned)]
        : masks.map((owned) => explore(body, f, owned));
      if (summary && tries[0]!.bad.size > 0 && weakened === undefined) unsound.push(seed);
      if (summary || tries.some((each) => each.bad.size === 0)) continue;
      // A closure that is wrong for every owner is refused where it goes elsewhere.
      if (f >= CLOSURES) isOpen = true;
      else for (const kind of tries[0]!.bad) wrong.add(kind);
    }
    if (isAccepted) accepted++;
    if (wrong.size > 0) {
      bad++;
      if (!isAccepted) continue;
      unsound.push(seed);
      if (weakened !== undefined) break;
    } else if (isOpen) open++;
    else {
      right++;
      if (isAccepted) continue;
      refused++;
      const { why = 'callee' } = verdict.refused[0] ?? {};
      const before = reasons.get(why);
      reasons.set(why, { count: (before?.count ?? 0) + 1, seed: before?.seed ?? seed });
    }
  }
  return { unsound, bad, right, refused, open, accepted, reasons };
}

if (import.meta.main) {
  const [what = '1000', more = '0'] = process.argv.slice(2);
  if (what === 'show') {
    const body = generate(Number(more));
    const show = (f: number): void =>
      console.log(
        f,
        JSON.stringify(body(f)?.body, (key, value) => (key === 'at' ? undefined : value), 1)
          .replaceAll(/\s*\n\s*/g, ' ')
          .replaceAll('{ "k"', '\n{ "k"'),
      );
    for (const f of [0, ...reached(body)]) show(f);
    for (let f = CLOSURES; body(f); f++) show(f);
    const summaries = new Summaries(body, { cap: 64, total: 20_000, weakened: undefined });
    console.log(JSON.stringify(summaries.of(0), undefined, 1).slice(0, 3000), explore(body));
  } else {
    const { reasons, ...rest } = compare(Number(what), Number(more));
    console.log({
      ...rest,
      unsound: rest.unsound.slice(0, 10),
      count: rest.unsound.length,
      rate: ((100 * rest.refused) / rest.right).toFixed(1),
    });
    console.log([...reasons].sort((a, b) => b[1].count - a[1].count));
  }
}
