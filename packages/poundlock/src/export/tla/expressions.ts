// Guards and calls as TLA+ expressions over a state.
import { unreachable } from '@poundlock/core/internal/base';
import type { BarrierModel, Call, Guard, Model, Phase } from '../model.ts';

/** A string of TLA+. */
export function text(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

export function set(values: readonly string[]): string {
  return `{${values.map(text).join(', ')}}`;
}

/** What a guard asks of the state `s`, '' where it always holds. */
export function condition(model: Model, guard: Guard): string {
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
    case 'can-land':
      return `CanComplete(s, ${text(guard.flight.ident)})`;
    default:
      return roleCondition(model, guard);
  }
}

/** Guards about roles, pools and gatherings. */
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

function roleCondition(model: Model, guard: RoleGuard): string {
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
export function after(model: Model, call: Call, t: string): string {
  const made = (name: string, ...rest: readonly (string | number)[]): string =>
    `${name}(${[t, ...rest].join(', ')})`;
  const bar = (barrier: BarrierModel): string => text(barrier.name);
  switch (call.do) {
    case 'fail':
      return made('Fail', text(call.rule));
    case 'told': {
      const isEarly = `s.K[${bar(call.barrier)}] < ${phaseText(call.phase)}`;
      return made('Fail', `IF ${isEarly} THEN "false-pass" ELSE "false-block"`);
    }
    case 'reach':
      return made('Reach', bar(call.barrier), call.barrier.cta, call.from);
    case 'arrive':
      if (call.lanes === 1) return made('Arrive', bar(call.barrier), call.count);
      return made('Lanes', bar(call.barrier), call.count, call.lanes);
    case 'expect':
      return made('Expect', bar(call.barrier), call.bytes);
    case 'settle':
      return made('Settle', bar(call.barrier));
    case 'init':
      return made('Initialize', bar(call.barrier), call.count);
    case 'drop':
      return made('Drop', bar(call.barrier), call.count);
    case 'invalidate':
      return made('Invalidate', bar(call.barrier));
    case 'launch':
      return made('Launch', text(call.flight.ident));
    case 'land':
      return made('Complete', text(call.flight.ident));
    case 'next':
    case 'done': {
      const buffers = [`{${text(call.buffer.name)}}`, '{}'];
      if (call.writes) buffers.reverse();
      return made(call.do === 'next' ? 'Next_' : 'Done_', ...buffers);
    }
    case 'touch': {
      const { buffer, from } = call;
      const word = buffer.pool < 0 ? 'Touch' : 'TouchPooled';
      return made(word, text(buffer.name), buffer.cta, from);
    }
    default:
      return afterRole(model, call, t);
  }
}

/** Calls on cells, registers, pools and gatherings, and the lives of roles. */
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

function afterRole(model: Model, call: RoleCall, t: string): string {
  const made = (name: string, ...rest: readonly (string | number)[]): string =>
    `${name}(${[t, ...rest].join(', ')})`;
  const role = (index: number): string => text(model.roles[index]!.name);
  switch (call.do) {
    case 'store':
      return made('Store', text(call.cell.name), call.value);
    case 'add':
      return made(
        'Store',
        text(call.cell.name),
        `${t}.cell[${text(call.cell.name)}] + ${call.value}`,
      );
    case 'step':
      return made('Step', text(call.register.name));
    case 'must-stand':
      return made('MustStand', text(call.register.name), call.register.stages, call.stage);
    case 'not-behind':
      return made('NotBehind', text(call.register.name), set(call.copies.map(({ name }) => name)));
    case 'shift':
      return `${call.shift.ident}(${t})`;
    case 'count':
      return made('Count', text(call.count.name));
    case 'take':
      return made('Take', text(call.buffer.name), call.units);
    case 'free':
      return made('Free', text(call.buffer.name));
    case 'relinquish':
      return made('GiveUp', text(call.pool.name));
    case 'gather':
      return made('Gather', text(call.named.name), call.threads, call.count);
    case 'wait-named':
      return made('WaitAt', role(call.role), text(call.named.name));
    case 'release-named':
      return made('ReleaseNamed', text(call.named.name));
    case 'wait-cluster':
      return made('WaitAt', role(call.role), '"cluster"');
    case 'release-cluster':
      return made('ReleaseWaits', '"cluster"');
    case 'start':
      return made('At', role(call.role), model.roles[call.role]!.start.to);
    case 'end':
      return made('End', role(call.role));
    case 'exit':
      return made('Exit', call.cta);
    default:
      return unreachable(call);
  }
}
