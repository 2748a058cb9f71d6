// Words of schedules: threads, barriers, phases, copies, and who may access a stage.
import type { StandingState } from '@poundlock/core/internal/finding';
import { term, type Term } from './term.ts';

export const MACHINE_WORDS = {
  role: term(
    'threads that do the same: a warp, a warpgroup, or a function of a program',
    'In a kernel as built each warp is a role, warp0, warp1 and so on.',
  ),
  unit: term(
    'hardware that works asynchronously: tma, bulk, wgmma, tcgen05, cp.async',
    'A role issues work to it and goes on; the work ends later and signals a barrier.',
  ),
  thread: term(
    'one of the threads of a block; 32 of them are a warp',
    'A named barrier counts threads. An mbarrier counts arrivals: one of each thread that ' +
      'arrives, or one of a thread for all.',
  ),
  strand: term(
    'threads of one role that do different things: warps of a warpgroup, or lanes of a warp',
    'What one strand does, another one knows only after a join: __syncwarp, a named barrier, or ' +
      'an mbarrier.',
    'lane',
    'thread class',
  ),
  join: term(
    'where threads wait for one another, so that each knows what all have done',
    'Such as __syncwarp(), bar.sync, and shuffles between lanes.',
  ),
  stage: term(
    'one of the buffers of a ring, with a full and an empty barrier',
    'A producer fills it, a consumer reads it and gives it back.',
    'ring',
    'slot',
  ),
  lap: term(
    'one pass over all stages of a ring',
    'In the second lap, a producer waits for what consumers released in the first.',
  ),
  phase: term(
    'how often an mbarrier has completed, counted from 0',
    'Hardware stores the parity of the number alone: a wait for phase 2 is one for parity 0.',
    'parity',
  ),
  'phase -1': term(
    'the phase before the first: a wait for it passes at once on a fresh barrier',
    'A producer starts so, with parity 1, because every stage is empty at first. In CUTLASS that ' +
      'is make_producer_start_state().',
    'phase −1',
  ),
  fresh: term(
    'said of an mbarrier that has completed no phase since its initialization',
    'A wait for parity 1 passes, and a wait for parity 0 blocks.',
  ),
  pending: term(
    'how many arrivals the current phase still misses, of how many',
    'The phase completes where both this number and the expected bytes are at 0.',
    'arrival',
    'expected',
  ),
  tx: term(
    'bytes that the current phase of an mbarrier still misses',
    'An expect_tx adds to it, and a copy that lands subtracts. Below 0, more ' +
      'bytes have come than were expected.',
    'expects',
    'tx bytes',
  ),
  'in flight': term(
    'issued and not over: a copy or work of the tensor core',
    'It reads and writes its buffers at any time until it completes.',
    'flight',
  ),
  complete: term(
    'the step in which asynchronous work ends: its bytes are there, its barrier is signaled',
    'It is a step of a unit, and not of the role that issued the work.',
    'land',
  ),
  'held by': term(
    'acquired by a role that has not released it',
    'A stage that two roles hold at the same time is a finding.',
    'owner',
  ),
  full: term(
    'said of a stage whose data has come and is not released',
    'Its full barrier completed last.',
  ),
  empty: term('said of a stage that a producer may fill', 'Its empty barrier completed last.'),
  idle: term(
    'said of a stage without an owner and without work in flight',
    'It has not been used yet.',
  ),
  owes: term(
    'has to make an arrival, or to issue a copy, that another role waits for',
    'Below a schedule, each role that waits names who owes it what.',
    'owed',
    'still owe',
  ),
  'named barrier': term(
    'one of the 16 barriers of a CTA: bar.sync ID, COUNT',
    'Barrier 0 with all threads is __syncthreads().',
  ),
  instance: term(
    'one use of a named barrier, from its first arrival to its last',
    'It is over when as many threads have come as the instruction says, and the next one begins.',
  ),
  cluster: term(
    'CTAs that run at the same time and reach the shared memory of one another',
    '__cluster_dims__, or the attribute of the launch, says how many.',
    'CTA',
    'block',
  ),
  proxy: term(
    'a way to reach memory: generic for threads, async for copies and the tensor core',
    'What one proxy wrote, another one sees only behind fence.proxy.async.',
    'generic proxy',
    'async proxy',
    'generic',
  ),
  dyn: term(
    'dynamic shared memory, whose size is a number of the launch',
    '`dyn+384/2048` is 2,048 bytes from byte 384 on. Other memory has the name of its variable.',
    'dynamic shared memory',
  ),
  enabled: term(
    'said of an operation that may be the next one',
    'Two accesses that are enabled in one state can come in either order: no barrier orders them.',
  ),
  scope: term(
    'which threads a release or an acquire is for: cta, cluster, gpu, sys',
    'Both sides have to be in it.',
  ),
} satisfies Record<string, Term>;

/** How far each role and unit is after the last step. */
export const STANDING_WORDS = {
  waits: term('another role still has to act', 'Its line says who owes what.'),
  starves: term(
    'it waits, and no role or unit can act any more',
    'In a deadlock all roles that have not ended starve.',
  ),
  continues: term('its next operation is possible', 'The schedule ends before it.'),
  ended: term('it has executed its last operation', 'Nothing is to be expected from it.'),
  absent: term('it has not been started', 'Another role starts it, by spawn.'),
  fails: term('its last step breaks a rule', 'The finding says which one.'),
  open: term('its work is not over', 'It is in flight at the end of the schedule.'),
} satisfies Record<StandingState, Term>;
