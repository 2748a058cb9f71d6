// Guards as Promela expressions.
import { unreachable } from '@poundlock/core/internal/base';
import { isWork } from '@poundlock/core/internal/machine';
import type { BarrierModel, BufferModel, Guard, ExportModel, Phase } from '../model.ts';

/** The conjunction of some guards; '' if all of them always hold. */
export function conjunction(model: ExportModel, guards: readonly Guard[]): string {
  const parts = guards.map((guard) => condition(model, guard)).filter((text) => text !== '');
  return parts.join(' && ');
}

function condition(model: ExportModel, guard: Guard): string {
  switch (guard.if) {
    case 'passes':
      return passes(guard.barrier, phaseText(guard.phase));
    case 'alias':
      return `ALIAS(K[${guard.barrier.ident}], ${phaseText(guard.phase)})`;
    case 'unfinished':
      return `K[${guard.barrier.ident}] <= ${phaseText(guard.phase)}`;
    case 'unborn':
      return `Life[${guard.barrier.ident}] == UNBORN`;
    case 'stage': {
      const { register, plus, stage } = guard;
      if (register.stages === 1) return '';
      return `${sum(register.ident, plus)} % ${register.stages} == ${stage}`;
    }
    case 'more': {
      const { count, plus, answer } = guard;
      return `${sum(count.ident, plus)} ${answer ? '<' : '>='} ${count.total}`;
    }
    case 'cell':
      return `${guard.cell.ident} == ${guard.value}`;
    case 'beyond':
      return guard.values.map((value) => `${guard.cell.ident} != ${value}`).join(' && ');
    case 'groups':
      return guard.queue.isBag ? '' : `${guard.queue.ident}_groups <= ${guard.most}`;
    case 'ended':
      return `Ended[${guard.role}]`;
    case 'started':
      return `Started[${guard.role}]`;
    case 'unstarted':
      return `!Started[${guard.role}]`;
    case 'together':
      return `Waits[${guard.role}] == 0`;
    default:
      return gathering(model, guard);
  }
}

/** Guards on pools, group barriers and flights. */
type GatheringGuard = Extract<
  Guard,
  {
    readonly if:
      | 'first-free'
      | 'impossible'
      | 'mismatch'
      | 'full'
      | 'part'
      | 'cluster'
      | 'can-complete';
  }
>;

function gathering(model: ExportModel, guard: GatheringGuard): string {
  switch (guard.if) {
    case 'first-free': {
      const { pool, units, buffer } = guard;
      const earlier = pool.buffers.slice(0, pool.buffers.indexOf(buffer));
      const used = pool.buffers.map(unitsOf).join(' + ');
      const parts = [...earlier.map((one) => `${unitsOf(one)} > 0`), `${unitsOf(buffer)} == 0`];
      if (model.relinquishes) parts.push(`!${pool.ident}_given_up`);
      return [...parts, `${used} + ${units} <= ${pool.capacity}`].join(' && ');
    }
    case 'impossible':
      return guard.units > guard.pool.capacity ? '' : `${guard.pool.ident}_given_up`;
    case 'mismatch':
    case 'full':
    case 'part': {
      const { named, threads, count } = guard;
      const here = `${named.ident}_here`;
      const other = `(${here} != 0 && ${named.ident}_count != ${count})`;
      if (guard.if === 'mismatch') return `(${other} || ${here} + ${threads} > ${count})`;
      return `!${other} && ${here} + ${threads} ${guard.if === 'full' ? '==' : '<'} ${count}`;
    }
    case 'cluster': {
      if (guard.state === 'divergent') return 'Over > 0';
      const last = model.roles.length - 1;
      return `Over == 0 && AtCluster ${guard.state === 'full' ? '==' : '<'} ${last}`;
    }
    case 'can-complete': {
      const { ident, queue, number } = guard.flight;
      const isHead = queue.inOrder && isWork(guard.flight.flight);
      return isHead ? `${queue.ident}_n > 0 && ${queue.ident}[0] == ${number}` : `${ident} > 0`;
    }
    default:
      return unreachable(guard);
  }
}

function passes(barrier: BarrierModel, phase: string): string {
  const completed = `K[${barrier.ident}]`;
  return barrier.isCounter ? `${completed} > ${phase}` : `PASSES(${completed}, ${phase})`;
}

/** The number of a phase. */
export function phaseText(phase: Phase): string {
  if (phase.at === 'number') return String(phase.value);
  const lap = `${phase.register.ident} / ${phase.register.stages}`;
  return phase.less === 0 ? lap : `${lap} - 1`;
}

function sum(ident: string, plus: number): string {
  return plus === 0 ? ident : `(${ident} + ${plus})`;
}

function unitsOf(buffer: BufferModel): string {
  return `Units[${buffer.ident}]`;
}
