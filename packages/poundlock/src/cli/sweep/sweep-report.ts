// Makes the report of a sweep from its plan and the results of its jobs.
import type { Proposal } from '@poundlock/core/internal/finding';
import { deletableLines } from '../../report/index.ts';
import { inOrder, withFront, type SweepReport, type SweptRow } from '../../report/sweeps/index.ts';
import type { SweepVerb } from '../jobs/job.ts';
import type { Deletions, Outcome, OutcomeOf, ResultDocument } from '../jobs/outcome.ts';
import type { PlannedRow, SweepPlan } from '../jobs/plan.ts';
import { version } from '../version.ts';

type Documents = ReadonlyMap<string, ResultDocument>;
/** Lines that a row names. */
const MOST_LINES = 4;

type Row = Omit<SweptRow, 'isFront'>;

/** The report of a sweep: the same for the same results, wherever they were computed. */
export function sweepReport(plan: SweepPlan, documents: Documents): SweepReport {
  const { file, texts, kernel, model, verbs, swept, per, rows } = plan;
  return {
    schema: 'poundlock/sweep@1',
    tool: { name: 'poundlock', version: version() },
    file,
    texts,
    kernel,
    model,
    verbs,
    swept,
    per: per.length === 0 ? null : per.join('*'),
    rows: inOrder(swept, withFront(rows.map((row) => rowOf(row, plan, documents)))),
  };
}

function rowOf(planned: PlannedRow, plan: SweepPlan, documents: Documents): Row {
  const { params, swept, jobs, error: notLoaded } = planned;
  if (notLoaded !== undefined) return { params, swept, error: notLoaded };
  const outcomes = plan.verbs.map((verb) => documents.get(jobs[verb]!)?.outcome);
  const of = <V extends SweepVerb>(verb: V): OutcomeOf[V] | null => {
    const outcome = documents.get(jobs[verb] ?? '')?.outcome as Outcome<V> | undefined;
    return outcome !== undefined && 'ok' in outcome ? outcome.ok : null;
  };
  const check = of('check');
  const simulate = of('simulate');
  const advise = of('advise');
  const error = errorOf(plan.verbs, outcomes);
  return {
    params,
    swept,
    ...(check !== null && { check: checkOf(check) }),
    ...(simulate !== null && { simulate: timeOf(simulate, plan.per) }),
    ...(advise !== null && { advise: adviceOf(advise) }),
    ...error,
    ...(outcomes.includes(undefined) && { isMissing: true as const }),
  };
}

/** Why a verb has no result; the same reason of several verbs once. */
function errorOf(
  verbs: readonly SweepVerb[],
  outcomes: readonly (Outcome | undefined)[],
): Pick<SweptRow, 'error' | 'errorVerdict'> {
  const errors = verbs.flatMap((verb, at) => {
    const outcome = outcomes[at];
    if (outcome === undefined || 'ok' in outcome) return [];
    const { error, at: place, verdict } = outcome.failed;
    const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
    return [{ verb, text: `${where}${error}`, verdict }];
  });
  const [first] = errors;
  if (first === undefined) return {};
  const isOne = errors.every(({ text }) => text === first.text);
  const error = isOne ? first.text : errors.map(({ verb, text }) => `${verb}: ${text}`).join('; ');
  const verdicts = new Set(errors.map(({ verdict }) => verdict));
  if (verdicts.has(undefined)) return { error };
  const isWrong = verdicts.has('counterexample');
  return { error, errorVerdict: isWrong ? 'counterexample' : 'inconclusive' };
}

function checkOf({ result }: OutcomeOf['check']): SweptRow['check'] {
  const finding = result.findings.find(({ severity }) => severity === 'error');
  const why = result.verdict === 'certified' ? null : (finding?.message ?? result.reason ?? null);
  const findings = result.findings.map(({ trace: _trace, standing: _standing, ...rest }) => rest);
  return { ...result, findings, rule: finding?.rule ?? null, why };
}

function timeOf(
  { params, isDeclared: _isDeclared, kernel: _kernel, ...rest }: OutcomeOf['simulate'],
  per: readonly string[],
): SweptRow['simulate'] {
  const work = per.reduce((product, name) => product * Number(params[name] ?? name), 1);
  const hasWork = per.length > 0 && Number.isFinite(work) && work > 0;
  return { ...rest, perWork: hasWork ? rest.totalCycles / work : null };
}

/** The best change that is certified and faster. */
function adviceOf(outcome: OutcomeOf['advise']): SweptRow['advise'] {
  const { proposals, deletions, limit } = outcome;
  if (deletions !== undefined) return deletionAdvice(deletions, outcome.totalCycles, limit);
  const legal = proposals.filter(isGain);
  const best = legal.toSorted((a, b) => b.speedup - a.speedup)[0];
  return {
    proposals: proposals.length,
    change: best?.change ?? null,
    speedup: best?.speedup ?? 1,
  };
}

function deletionAdvice(
  { instructions, gainCycles }: Deletions,
  totalCycles: number,
  limit: string | null,
): SweptRow['advise'] {
  const lines = deletableLines(instructions);
  const more = lines.length > MOST_LINES ? `, … ${lines.length} lines in all` : '';
  const none = limit === null ? null : 'nothing is claimed';
  return {
    proposals: lines.length,
    change: lines.length === 0 ? none : `delete ${lines.slice(0, MOST_LINES).join(', ')}${more}`,
    speedup: totalCycles === 0 ? 1 : totalCycles / (totalCycles - gainCycles),
  };
}

function isGain({ verdict, speedup }: Proposal): boolean {
  return verdict === 'certified' && speedup > 1;
}
