// Rules that have no program to show yet: one sentence each.
import type { Page } from './page.ts';

/** Their explanations. A rule that gets a page of its own leaves this list. */
export const WITHOUT_EXAMPLE: readonly Page[] = [
  {
    rule: 'stepped-without-signal',
    title: 'a role moves on to the next stage and never signals the one it leaves',
    what:
      'Many releases only move a private counter, and the signal is made elsewhere: by ' +
      'copied bytes, a commit, or an arrive in the writer. When it is made nowhere, the ' +
      'other side waits for this stage forever.',
    seeAlso: ['deadlock', 'leaked-stage'],
  },
  {
    rule: 'tmem-not-relinquished',
    title: 'a CTA keeps the right to allocate tensor memory until it ends',
    what:
      'The next CTA on the same SM can allocate only after this one has given up the right ' +
      'with `relinquish`, so it stalls for as long as this one runs.',
    seeAlso: ['capacity', 'tmem-double-free'],
  },
  {
    rule: 'divergent-step',
    title: 'the threads of one role step their counters differently',
    what:
      'Every thread of a warp keeps the stage and the lap for itself, so all of them have ' +
      'to step, also those that were not elected to issue the copy. Otherwise they work on ' +
      'different stages.',
    seeAlso: ['double-acquire'],
  },
  {
    rule: 'stale-try-token',
    title: 'the answer of a try is used for another stage than it was asked about',
    what:
      'A successful try says that one phase of one stage has completed. After a step it ' +
      'says nothing about the next stage, and skipping the wait there reads data that is ' +
      'not ready.',
    seeAlso: ['race', 'false-pass'],
  },
  {
    rule: 'forked-pipeline',
    title: 'two copies of one pipeline count their stages apart',
    what:
      'The barriers are shared, but the stage and the lap are private to each copy. Two ' +
      'copies on one side wait and signal as if the other were not there, and their phases ' +
      'drift apart.',
    seeAlso: ['false-pass', 'double-acquire'],
  },
  {
    rule: 'child-outlives-parent',
    title: 'a handle is used after the handle that it was taken from was released',
    what:
      'A part of a stage belongs to the stage: once the stage is given back, the part can ' +
      'be overwritten with it.',
    seeAlso: ['use-after-release'],
  },
  {
    rule: 'release-order',
    title: 'stages are released in an order that their pipeline does not follow',
    what:
      'Where the counter moves at the release, the release does not ask which handle it is: ' +
      'it steps past the oldest stage. Released in another order, handles and stages no ' +
      'longer match.',
    seeAlso: ['double-acquire', 'double-release'],
  },
];
