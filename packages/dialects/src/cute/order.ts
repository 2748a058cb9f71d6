// Ordered sequences: groups of threads that take turns, stage by stage.
import { InputError, Side, barrier } from '@poundlock/core';
import type { Barrier, Op, Operation } from '@poundlock/core';
import {
  Endpoint,
  claimName,
  created,
  closeMembers,
  currentPosition,
  option,
  optionTable,
  requireCount,
  requireOptions,
  ringOver,
  trackGenerators,
  type OptionsOf,
} from '@poundlock/core/dialect';
import { itself } from './cluster.ts';
import { requireCalling, type Calling } from './handle.ts';
import { byThreads } from './signal.ts';

const ORDER = optionTable({
  /** The stages that every group goes through, one turn each. */
  depth: option.checkedLater<number>(),
  /** The number of groups. */
  length: option.checkedLater<number>(),
  /** The threads of a group: as many arrivals pass the turn on. */
  groupSize: option.checkedLater<number>(),
});

/** Options of {@link OrderedSequenceBarrier}. */
export interface OrderOptions extends OptionsOf<typeof ORDER, 'depth' | 'length' | 'groupSize'> {}

/**
 * CUTLASS's `OrderedSequenceBarrier`, `PipelineOrder` of CuTe DSL: in each stage, group i + 1 has
 * its turn after group i, and group 0 after the last one.
 *
 * @throws InputError for a depth, length or group size below 1.
 *
 * @example
 * const order = cutlass.OrderedSequenceBarrier.create('order', {
 *   depth: 1,
 *   length: 2,
 *   groupSize: 128,
 * });
 * const c = buffer('c');
 * const math = (group: number) =>
 *   role(`math${group}`, { lanes: 128 }, function* () {
 *     const turns = order.group(group);
 *     yield* turns.wait();
 *     write(c);
 *     yield* turns.arrive();
 *   });
 * return [math(0), math(1)];
 */
export class OrderedSequenceBarrier {
  readonly #groups: readonly OrderedGroup[];
  readonly #name: string;

  /** Declares the barriers. */
  static create(name: string, options: OrderOptions): OrderedSequenceBarrier {
    requireOptions('OrderedSequenceBarrier.create()', ORDER, options);
    return new OrderedSequenceBarrier(name, options);
  }

  private constructor(name: string, { depth, length, groupSize }: OrderOptions) {
    requireCount(`the depth of ${name}`, depth, 1);
    requireCount(`the length of ${name}`, length, 1);
    requireCount(`the group size of ${name}`, groupSize, 1);
    claimName('create()', name);
    const turns = Array.from({ length }, (_, group) =>
      Array.from({ length: depth }, (__, stage) =>
        barrier(`${name}.group${group}[${stage}]`, { count: groupSize }),
      ),
    );
    this.#name = name;
    this.#groups = turns.map(
      (own, group) =>
        new OrderedGroup(`${name}.group${group}`, group, own, turns[(group + 1) % length]!),
    );
  }

  /**
   * The turns of one group, whose counter is state of the role.
   *
   * @throws InputError for a number that no group has.
   */
  group(id: number): OrderedGroup {
    const found = this.#groups[id];
    if (found !== undefined) return found;
    const last = this.#groups.length - 1;
    throw new InputError(`${this.#name} has groups 0 to ${last}, not ${id}`, currentPosition());
  }
}

const passOn = byThreads(itself);

/**
 * The turns of one group of an {@link OrderedSequenceBarrier}. Its barriers are a ring with one
 * side: group 0 starts with the flipped phase, as a producer does, since no group passes it the
 * first turn.
 *
 * @example
 * const order = PipelineOrder.create('order', { depth: 1, length: 1, groupSize: 1 });
 * return [
 *   role('math', function* () {
 *     const turns = order.group(0);
 *     yield* turns.wait();
 *     yield* turns.arrive();
 *   }),
 * ];
 */
export class OrderedGroup {
  readonly #endpoint: Endpoint;
  readonly #wait: Operation<number>;
  readonly #next: readonly Barrier[];

  /** @internal */
  constructor(name: string, id: number, own: readonly Barrier[], next: readonly Barrier[]) {
    const isFirst = id === 0;
    const [full, empty] = isFirst ? [[], own] : [own, []];
    const shared = { name, stages: own.length, full, empty, parts: [], buffers: [] };
    const ring = ringOver({ ...shared, advance: 'acquire' as const }, () => {
      throw new InputError(`${name} has no stages to acquire`);
    });
    this.#endpoint = new Endpoint(ring, isFirst ? Side.produce : Side.consume);
    this.#wait = this.#endpoint.waitThen((stage) => stage, 'wait()', false);
    this.#next = next;
  }

  /** Blocks until the group has its turn in the current stage; returns its number. */
  wait(): Operation<number> {
    return created(this.#wait);
  }

  /** Every thread passes the turn on to the next group; the group advances to the next stage. */
  *arrive(calling: Calling = {}): Generator<Op, void, number> {
    const { lanes } = requireCalling('arrive()', calling);
    const stage = yield* this.#endpoint.stage;
    passOn.send(this.#next[stage]!, lanes);
    this.#endpoint.step();
  }

  /** Advances to the next stage without passing the turn on. */
  advance(): void {
    this.#endpoint.step();
  }
}

trackGenerators(OrderedGroup);
closeMembers(OrderedSequenceBarrier.prototype);
