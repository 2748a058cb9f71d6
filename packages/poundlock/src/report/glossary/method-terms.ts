// Words about how a check decided: its engines, the conditions of a certificate, and its bounds.
import type { BoundName } from '@poundlock/core/internal/base';
import type { EngineName } from '@poundlock/core/internal/finding';
import { term, type Term } from './term.ts';

/** What the line of a verdict says of each engine, and counts. */
export const WORK_WORDS = {
  replay: 'step',
  certify: 'event',
  hybrid: 'choice point',
  witness: 'built from one run',
  search: 'state',
  reduced: 'state',
} as const satisfies Record<EngineName, string>;

export const METHODS = {
  step: term(
    'what one thread, role or unit does at once',
    'The number of steps of a replay is the length of its schedule.',
  ),
  'by certificate': term(
    'proved from one run, and not by a search',
    'One run is executed, and which of its events comes before which is computed. If eight ' +
      'conditions hold on it, no interleaving can go wrong. Its time grows with the run.',
    'certificate',
    'certify',
  ),
  event: term(
    'one operation of the run that a certificate is about',
    'Each wait, arrival, copy and access of the run is an event.',
  ),
  'choice point': term(
    'a state in which results of tries or atomics lead on in several ways',
    'A certificate with choice points comes from one run for each order of the choices. States ' +
      'with the same future are taken once.',
    'hybrid',
    'choice',
  ),
  'built from one run': term(
    'the schedule of a counterexample was constructed, and not searched for',
    'One run shows two events that no barrier orders. Their order is turned around, and the ' +
      'schedule that results was executed on the machine: it is as certain as one of a search.',
    'witness',
    'constructed from one run',
  ),
  state: term(
    'where all roles, barriers and asynchronous work stand at one time',
    'A search visits the states that interleavings reach. Their number, and not the length of ' +
      'the kernel, is its cost.',
    'search',
    'reduced',
  ),
} satisfies Record<(typeof WORK_WORDS)[EngineName] | 'by certificate', Term>;

function condition(title: string, violated: string): Term {
  return term(
    title,
    `It is one of the conditions of a certificate, which hold on every run if they hold on one. ` +
      `Where it fails, ${violated}.`,
  );
}

/** The conditions that a certificate file counts, and that of registers. */
export const CONDITIONS = {
  'condition D': condition(
    'the run ends: every role, without too many or too few arrivals and bytes',
    'the kernel can deadlock',
  ),
  'condition M': condition(
    'what contributes to a phase is known to all that contributes to the next one',
    'an arrival can count for another phase',
  ),
  'condition L': condition(
    'who comes to a wait knows what ended the phase before',
    'the wait can pass a phase early',
  ),
  'condition U': condition(
    'something in the phase after the awaited one knows the wait',
    'the barrier can lap the wait',
  ),
  'condition E': condition(
    'an arrival of the phase knows each expect_tx that is no arrival',
    'the phase can complete without the expected bytes',
  ),
  'condition X': condition(
    'who issues a copy knows the phase before the one that its bytes complete',
    'bytes can arrive too soon',
  ),
  'condition R': condition(
    'two accesses to the same bytes, one of them a write, are ordered',
    'there is a race, or an access after the end of a CTA',
  ),
  'condition Q': condition(
    'no order in which warpgroups take registers gets stuck',
    'the kernel can deadlock in setmaxnreg',
  ),
} satisfies Record<`condition ${string}`, Term>;

function bound(title: string, page = 'It is fixed: give smaller parameters.'): Term {
  return term(title, `${page} A verdict that it ends is inconclusive.`);
}

/** The bounds that a message names: `the bound max-states of 20,000,000 was reached`. */
export const BOUNDS = {
  'max-events': bound('how many events a certificate executes', '`--max-events` raises it.'),
  'max-states': bound('how many states a search stores', '`--max-states` raises it.'),
  timeout: bound('how long a check takes', '`--timeout` raises it, such as `--timeout 30m`.'),
  'search-time': bound(
    'how long a search takes after a certificate that failed',
    'It is four times what the certificate took. `--timeout` sets another one.',
  ),
  'job-limit': bound('how long one job of many takes', '`--job-limit` raises it.'),
  memory: bound(
    'how much memory the process takes',
    '`NODE_OPTIONS=--max-old-space-size=MB` raises it.',
  ),
  'choice-points': bound('how many choice points a certificate visits'),
  'register-cuts': bound('how many orders of setmaxnreg are compared'),
  'max-flights': bound('how many asynchronous operations are open at one time'),
  'flight-kinds': bound('how many different asynchronous operations a program has'),
  'live-events': bound('how many events of a run others still have to know'),
  'max-answers': bound('how many values of one answer an export has'),
  'max-steps': bound('how many steps of a role an export writes'),
  standings: bound('in how many states one role is in an export'),
  cell: bound('how large the value of a cell becomes'),
  straight: bound('how many operations one role executes'),
  replayed: bound('how often the start of a role is executed again to go on in several ways'),
  steps: bound('how many different steps all roles have together'),
  silent: bound(
    'how many operations without an effect follow one another',
    'A loop that never ends and never waits reaches it.',
  ),
  moves: bound('how many moves are possible in one state'),
  keys: bound('how many bytes the states of a certificate take'),
  store: bound('how many bytes the states of a search take'),
} satisfies Record<BoundName, Term>;
