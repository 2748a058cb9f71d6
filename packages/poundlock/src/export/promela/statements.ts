// Calls as Promela statements. Each assertion names a rule, a variable that is never true.
import { unreachable } from '@poundlock/core/internal/base';
import { FlightKind, isWork } from '@poundlock/core/internal/machine';
import type { BarrierModel, Call, FlightModel, ExportModel, RoleModel } from '../model.ts';
import { phaseText } from './expressions.ts';

/** Rules that can fail in a model, by their names in the model. */
export type Rules = Set<string>;

/** Calls on named and cluster barriers. */
type GatherCall = Extract<
  Call,
  {
    readonly do: 'gather' | 'wait-named' | 'release-named' | 'wait-cluster' | 'release-cluster';
  }
>;
/** Calls on registers and pools, and on the lifetimes of roles. */
type RoleCall =
  | GatherCall
  | Extract<
      Call,
      {
        readonly do:
          | 'step'
          | 'must-stand'
          | 'not-behind'
          | 'shift'
          | 'count'
          | 'take'
          | 'free'
          | 'relinquish'
          | 'start'
          | 'end'
          | 'exit';
      }
    >;

export class Statements {
  readonly #model: ExportModel;
  readonly rules: Rules = new Set();

  constructor(model: ExportModel) {
    this.#model = model;
  }

  /** The statements of some calls, one per line. */
  of(calls: readonly Call[]): string[] {
    return calls.flatMap((call) => this.#statements(call));
  }

  #assert(rule: string, condition: string): string {
    const word = rule === 'bound' ? 'export_bound' : rule.replaceAll('-', '_');
    this.rules.add(word);
    return condition === '' ? `assert(${word})` : `assert(${word} || ${condition})`;
  }

  #statements(call: Call): string[] {
    switch (call.do) {
      case 'fail':
        return [`/* ${call.note} */`, this.#assert(call.rule, '')];
      case 'alias-fault': {
        const completed = `K[${call.barrier.ident}]`;
        return [
          '/* M10: the parity shows another phase than the one waited for */',
          this.#assert('false-pass', `${completed} > ${phaseText(call.phase)}`),
          this.#assert('false-block', ''),
        ];
      }
      case 'reach':
        return this.#reach(call.barrier, call.from);
      case 'arrive': {
        this.rules.add('over_arrival');
        const { barrier, count, lanes } = call;
        const one = `arrive(${barrier.ident}, ${expected(barrier)}, ${count})`;
        return lanes === 1
          ? [one]
          : [`lanes(${barrier.ident}, ${expected(barrier)}, ${count}, ${lanes})`];
      }
      case 'expect': {
        this.rules.add('count_out_of_range');
        return [`expect(${call.barrier.ident}, ${call.bytes})`];
      }
      case 'settle':
        return [`settle(${call.barrier.ident}, ${expected(call.barrier)})`];
      case 'init':
      case 'drop':
      case 'invalidate':
        return this.#changeLifetime(call);
      case 'issue':
        return this.#issue(call.flight);
      case 'complete':
        return this.#complete(call.flight);
      case 'next':
        this.rules.add('race');
        return [`next_${call.writes ? 'write' : 'read'}(${call.buffer.ident})`];
      case 'done':
        return [`${call.writes ? 'Writers' : 'Readers'}[${call.buffer.ident}]--`];
      case 'touch':
        return this.#touch(call);
      case 'store':
        return [`${call.cell.ident} = ${call.value}`];
      case 'add':
        return [`${call.cell.ident} = ${call.cell.ident} + ${call.value}`];
      default:
        return this.#ofRole(call);
    }
  }

  #ofRole(call: RoleCall): string[] {
    switch (call.do) {
      case 'step':
        return [`${call.register.ident}++`];
      case 'must-stand': {
        const { ident, stages } = call.register;
        return [this.#assert('release-order', `${ident} % ${stages} == ${call.stage}`)];
      }
      case 'not-behind': {
        const ahead = call.copies.map(({ ident }) => `${ident} <= ${call.register.ident}`);
        return [this.#assert('forked-pipeline', `(${ahead.join(' && ')})`)];
      }
      case 'shift':
        return [`${call.shift.ident}()`];
      case 'count':
        return [`${call.count.ident}++`];
      case 'take':
        return [`Units[${call.buffer.ident}] = ${call.units}`];
      case 'free': {
        const units = `Units[${call.buffer.ident}]`;
        return [this.#assert('tmem-double-free', `${units} > 0`), `${units} = 0`];
      }
      case 'relinquish':
        return [`${call.pool.ident}_given_up = 1`];
      case 'start':
        return [`Started[${call.role}] = 1`];
      case 'end':
        return this.#end(this.#model.roles[call.role]!);
      case 'exit':
        return [`Exited[${call.cta}] = 1`];
      default:
        return this.#gather(call);
    }
  }

  #gather(call: GatherCall): string[] {
    switch (call.do) {
      case 'gather': {
        const { ident } = call.named;
        return [
          `${ident}_here = ${ident}_here + ${call.threads}`,
          `${ident}_count = ${call.count}`,
        ];
      }
      case 'wait-named':
        return [`Waits[${call.role}] = ${call.named.id}`];
      case 'release-named':
        return [
          `${call.named.ident}_here = 0`,
          `${call.named.ident}_count = 0`,
          `release(${call.named.id})`,
        ];
      case 'wait-cluster':
        return [`Waits[${call.role}] = CLUSTER`, 'AtCluster++'];
      case 'release-cluster':
        return ['AtCluster = 0', 'release(CLUSTER)'];
      default:
        return unreachable(call);
    }
  }

  /** L02, M02: requires that the barrier's CTA and the barrier itself are alive. */
  #reach(barrier: BarrierModel, from: number): string[] {
    const found = this.#alive(barrier.cta, from);
    if (!barrier.hasLife) return found;
    const changeLifetime = `Life[${barrier.ident}]`;
    found.push(this.#assert('uninitialised-barrier', `${changeLifetime} != UNBORN`));
    found.push(this.#assert('missing-drain', `${changeLifetime} != GONE`));
    return found;
  }

  #alive(owner: number, from: number): string[] {
    const found: string[] = [];
    if (this.#model.exits) found.push(this.#assert('missing-drain', `!Exited[${owner}]`));
    if (owner !== from) found.push(this.#assert('missing-drain', `Living[${owner}] > 0`));
    return found;
  }

  #touch({ buffer, from }: Call & { do: 'touch' }): string[] {
    const found = this.#alive(buffer.cta, from);
    if (buffer.pool < 0) return found;
    return [...found, this.#assert('tmem-use-after-free', `Units[${buffer.ident}] > 0`)];
  }

  #changeLifetime(call: Call & { do: 'init' | 'drop' | 'invalidate' }): string[] {
    const { ident } = call.barrier;
    if (call.do === 'invalidate') return [`Life[${ident}] = GONE`];
    if (call.do === 'drop') {
      return [
        this.#assert('over-arrival', `${call.count} <= P[${ident}]`),
        `E[${ident}] = E[${ident}] - ${call.count}`,
        `P[${ident}] = P[${ident}] - ${call.count}`,
        `settle(${ident}, E[${ident}])`,
      ];
    }
    const isFresh = `(Life[${ident}] != LIVE || E[${ident}] == 0)`;
    return [
      this.#assert('uninitialised-barrier', isFresh),
      `Life[${ident}] = LIVE; E[${ident}] = ${call.count}; P[${ident}] = ${call.count}`,
      `K[${ident}] = 0${call.barrier.hasBytes ? `; T[${ident}] = 0` : ''}`,
    ];
  }

  #end({ index, cta }: RoleModel): string[] {
    const { crosses, joins, hasCluster } = this.#model;
    return [
      ...(crosses ? [`Living[${cta}]--`] : []),
      ...(joins ? [`Ended[${index}] = 1`] : []),
      ...(hasCluster ? ['Over++', this.#assert('divergent-exit', 'AtCluster == 0')] : []),
    ];
  }

  /** U01–U04: issues a flight; work at the head of its queue can complete. */
  #issue(model: FlightModel): string[] {
    const { queue, ident, number, flight, barrier } = model;
    const copies =
      flight.kind === FlightKind.copy && barrier !== null ? [`Copies[${barrier.ident}]++`] : [];
    if (queue.isBag) return [`open(${ident})`, ...copies, ...this.#accesses(model)];
    const push = `push_${queue.ident}(${number})`;
    const orElse = (first: string[], other: string[]): string[] => {
      const otherwise = other.length > 0 ? `-> ${other.join('; ')} ` : '';
      if (first.length === 0)
        return [`if :: ${queue.ident}_n > 0 -> ${other.join('; ')} :: else fi`];
      return [`if :: ${queue.ident}_n == 0 -> ${first.join('; ')} :: else ${otherwise}fi`];
    };
    if (flight.kind === FlightKind.signal) return orElse([`${ident}++`], [push]);
    if (flight.kind === FlightKind.group) return orElse([], [push, `${queue.ident}_groups++`]);
    const accesses = this.#accesses(model);
    if (!queue.inOrder) return [`open(${ident})`, push, ...copies, ...accesses];
    const atHead = accesses.length === 0 ? [] : orElse(accesses, []);
    return [...atHead, push, ...copies];
  }

  #accesses({ accesses }: FlightModel): string[] {
    if (accesses.length > 0) this.rules.add('race');
    return accesses.map(
      ({ buffer, writes }) => `next_${writes ? 'write' : 'read'}(${buffer.ident})`,
    );
  }

  #complete(model: FlightModel): string[] {
    const { queue, ident, number, flight, barrier, accesses } = model;
    if (flight.kind === FlightKind.signal) return [`${ident}--`];
    const left = accesses.map(({ buffer, writes }) => {
      return `${writes ? 'Writers' : 'Readers'}[${buffer.ident}]--`;
    });
    if (flight.kind === FlightKind.copy && barrier !== null)
      left.push(`Copies[${barrier.ident}]--`);
    if (queue.isBag) return [`${ident}--`, ...left];
    if (!queue.inOrder) return [`${ident}--`, `take_${queue.ident}(${number})`, ...left];
    return [`take_${queue.ident}(${number})`, ...left, ...this.#nextOfQueue(model)];
  }

  /** U02: the work that reaches the head of its queue can complete. */
  #nextOfQueue({ queue }: FlightModel): string[] {
    const works = queue.flights.filter((one) => isWork(one.flight) && one.accesses.length > 0);
    return works.length === 0 ? [] : [`next_of_${queue.ident}()`];
  }

  /** The body of the inline that `#nextOfQueue` calls. */
  nextOf(queue: FlightModel['queue']): string[] {
    const works = queue.flights.filter((one) => isWork(one.flight) && one.accesses.length > 0);
    return works.map((one) => {
      const guard = `${queue.ident}_n > 0 && ${queue.ident}[0] == ${one.number}`;
      return `:: ${guard} -> ${this.#accesses(one).join('; ')}`;
    });
  }
}

/** The arrivals that the next phase expects. */
function expected(barrier: BarrierModel): string {
  return barrier.varies ? `E[${barrier.ident}]` : String(barrier.count);
}
