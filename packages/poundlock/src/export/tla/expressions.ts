// Guards and calls as TLA+ expressions over a state.
import { unreachable } from '@poundlock/core/internal/base';
import type { BarrierModel, Call, Guard, ExportModel, Phase } from '../model.ts';

/** A TLA+ string. */
export function text(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

export function set(values: readonly string[]): string {
  return `{${values.map(text).join(', ')}}`;
}

/** The condition of a guard on the state `s`; '' if it always holds. */
export function condition(model: ExportModel, guard: Guard): string {
  switch (guard.if) {
    case 'passes':
      return `Passes(s, ${text(guard.barrier.name)}, ${phaseText(guard.phase)})`;
    case 'alias':
      return `Misleads(s, ${text(guard.barrier.name)}, ${phaseText(guard.phase)})`;
    case 'unfinished':
      return `s.K[${text(guard.barrier.name)}] <= ${phaseText(guard.phase)}`;
    case 'unborn':
      return `s.life[${text(guard.barrier.name)}] = "unborn"`;
    case 'stage': {
      const { register, plus, stage } = guard;
      if (register.stages === 1) return '';
      const at = `s.reg[${text(register.name)}]`;
      return `${plus === 0 ? at : `(${at} + ${plus})`} % ${register.stages} = ${stage}`;
    }
    case 'more': {
      const plus = guard.plus === 0 ? '' : ` + ${guard.plus}`;
      const compares = guard.answer ? '<' : '>=';
      return `s.count[${text(guard.count.name)}]${plus} ${compares} ${guard.count.total}`;
    }
    case 'cell':
      return `s.cell[${text(guard.cell.name)}] = ${guard.value}`;
    case 'beyond':
      return `s.cell[${text(guard.cell.name)}] \\notin {${guard.values.join(', ')}}`;
    case 'groups':
      return `s.groups[${text(guard.queue.ident)}] <= ${guard.most}`;
    case 'can-complete':
      return `CanComplete(s, ${text(guard.flight.ident)})`;
    default:
      return roleCondition(model, guard);
  }
}

/** Guards on roles, pools and group barriers. */
type RoleGuard = Extract<
  Guard,
  {
    readonly if:
      | 'ended'
      | 'started'
      | 'unstarted'
      | 'together'
      | 'first-free'
      | 'impossible'
      | 'mismatch'
      | 'full'
      | 'part'
      | 'cluster';
  }
>;

function roleCondition(model: ExportModel, guard: RoleGuard): string {
  const name = (role: number): string => text(model.roles[role]!.name);
  switch (guard.if) {
    case 'ended':
      return `${name(guard.role)} \\in s.ended`;
    case 'started':
      return `s.pc[${name(guard.role)}] # -1`;
    case 'unstarted':
      return `s.pc[${name(guard.role)}] = -1`;
    case 'together':
      return `s.waits[${name(guard.role)}] = "nothing"`;
    case 'first-free': {
      const { pool, buffer, units } = guard;
      return `FirstFree(s, ${text(pool.name)}, ${text(buffer.name)}, ${units})`;
    }
    case 'impossible':
      return guard.units > guard.pool.capacity ? '' : `${text(guard.pool.name)} \\in s.givenUp`;
    case 'mismatch':
    case 'full':
    case 'part': {
      const word = { mismatch: 'Mismatch', full: 'IsFull', part: 'IsPart' }[guard.if];
      return `${word}(s, ${text(guard.named.name)}, ${guard.threads}, ${guard.count})`;
    }
    case 'cluster': {
      if (guard.state === 'divergent') return 's.ended # {}';
      const compares = guard.state === 'full' ? '=' : '<';
      return `s.ended = {} /\\ Cardinality(AtCluster(s)) ${compares} ${model.roles.length - 1}`;
    }
    default:
      return unreachable(guard);
  }
}

function phaseText(phase: Phase): string {
  if (phase.at === 'number') return String(phase.value);
  const lap = `s.reg[${text(phase.register.name)}] \\div ${phase.register.stages}`;
  return phase.less === 0 ? lap : `(${lap}) - 1`;
}

/** The state after a call in the state that `t` names. */
export function after(model: ExportModel, call: Call, t: string): string {
  const callOf = (name: string, ...rest: readonly (string | number)[]): string =>
    `${name}(${[t, ...rest].join(', ')})`;
  const bar = (barrier: BarrierModel): string => text(barrier.name);
  switch (call.do) {
    case 'fail':
      return callOf('Fail', text(call.rule));
    case 'alias-fault': {
      const isEarly = `s.K[${bar(call.barrier)}] < ${phaseText(call.phase)}`;
      return callOf('Fail', `IF ${isEarly} THEN "false-pass" ELSE "false-block"`);
    }
    case 'reach':
      return callOf('Reach', bar(call.barrier), call.barrier.cta, call.from);
    case 'arrive':
      if (call.lanes === 1) return callOf('Arrive', bar(call.barrier), call.count);
      return callOf('Lanes', bar(call.barrier), call.count, call.lanes);
    case 'expect':
      return callOf('Expect', bar(call.barrier), call.bytes);
    case 'settle':
      return callOf('Settle', bar(call.barrier));
    case 'init':
      return callOf('Initialize', bar(call.barrier), call.count);
    case 'drop':
      return callOf('Drop', bar(call.barrier), call.count);
    case 'invalidate':
      return callOf('Invalidate', bar(call.barrier));
    case 'issue':
      return callOf('Launch', text(call.flight.ident));
    case 'complete':
      return callOf('Complete', text(call.flight.ident));
    case 'next':
    case 'done': {
      const buffers = [`{${text(call.buffer.name)}}`, '{}'];
      if (call.writes) buffers.reverse();
      return callOf(call.do === 'next' ? 'Next_' : 'Done_', ...buffers);
    }
    case 'touch': {
      const { buffer, from } = call;
      const word = buffer.pool < 0 ? 'Touch' : 'TouchPooled';
      return callOf(word, text(buffer.name), buffer.cta, from);
    }
    default:
      return afterRole(model, call, t);
  }
}

/** Calls on cells, registers, pools and group barriers, and on lifetimes of roles. */
type RoleCall = Extract<
  Call,
  {
    readonly do:
      | 'store'
      | 'add'
      | 'step'
      | 'must-stand'
      | 'not-behind'
      | 'shift'
      | 'count'
      | 'take'
      | 'free'
      | 'relinquish'
      | 'gather'
      | 'wait-named'
      | 'release-named'
      | 'wait-cluster'
      | 'release-cluster'
      | 'start'
      | 'end'
      | 'exit';
  }
>;

function afterRole(model: ExportModel, call: RoleCall, t: string): string {
  const callOf = (name: string, ...rest: readonly (string | number)[]): string =>
    `${name}(${[t, ...rest].join(', ')})`;
  const role = (index: number): string => text(model.roles[index]!.name);
  switch (call.do) {
    case 'store':
      return callOf('Store', text(call.cell.name), call.value);
    case 'add':
      return callOf(
        'Store',
        text(call.cell.name),
        `${t}.cell[${text(call.cell.name)}] + ${call.value}`,
      );
    case 'step':
      return callOf('Step', text(call.register.name));
    case 'must-stand':
      return callOf('MustStand', text(call.register.name), call.register.stages, call.stage);
    case 'not-behind':
      return callOf(
        'NotBehind',
        text(call.register.name),
        set(call.copies.map(({ name }) => name)),
      );
    case 'shift':
      return `${call.shift.ident}(${t})`;
    case 'count':
      return callOf('Count', text(call.count.name));
    case 'take':
      return callOf('Take', text(call.buffer.name), call.units);
    case 'free':
      return callOf('Free', text(call.buffer.name));
    case 'relinquish':
      return callOf('GiveUp', text(call.pool.name));
    case 'gather':
      return callOf('Gather', text(call.named.name), call.threads, call.count);
    case 'wait-named':
      return callOf('WaitAt', role(call.role), text(call.named.name));
    case 'release-named':
      return callOf('ReleaseNamed', text(call.named.name));
    case 'wait-cluster':
      return callOf('WaitAt', role(call.role), '"cluster"');
    case 'release-cluster':
      return callOf('ReleaseWaits', '"cluster"');
    case 'start':
      return callOf('At', role(call.role), model.roles[call.role]!.start.to);
    case 'end':
      return callOf('End', role(call.role));
    case 'exit':
      return callOf('Exit', call.cta);
    default:
      return unreachable(call);
  }
}
