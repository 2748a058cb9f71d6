// The groups of lanes of all warps, by number: equal groups have one number and go on alike.
import type { KernelText } from './kernel-text.ts';
import { laneOf, LaneInterpreter, simplified } from './lane-group.ts';
import type { Action, Divergence, Facts, LaneGroup, Value } from './lane-group.ts';
import { WARP } from './machine.ts';

/** The lanes of a warp. */
export const LANES = Array.from({ length: WARP }, (_, lane) => lane);
const segmentOf = ({ block, warp, segment }: LaneGroup): string => `${block}.${warp}.${segment}`;

/** All groups that an exploration has met. */
export class Groups {
  readonly #kernel: KernelText;
  readonly #lanes: LaneInterpreter;
  readonly #groups: LaneGroup[] = [];
  readonly #actions: Action[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #behind = new Map<string, number>();
  /** By warp and segment, the lanes that are one group. */
  readonly #classes = new Map<string, (readonly number[])[]>();

  constructor(kernel: KernelText, facts: Facts) {
    this.#kernel = kernel;
    this.#lanes = new LaneInterpreter(kernel, facts);
  }

  group(id: number): LaneGroup {
    return this.#groups[id]!;
  }

  /** What a group does next. */
  action(id: number): Action {
    return this.#actions[id]!;
  }

  /** Whether a group has ended. */
  isOver(id: number): boolean {
    return this.#groups[id]!.waits && this.#actions[id]!.do === 'end';
  }

  /** The number of a group. */
  id(group: LaneGroup): number {
    const values = [...group.registers].map(([name, value]) => `${name}=${String(value)}`);
    const key = [segmentOf(group), group.lanes, group.pc, group.waits, ...values].join(' ');
    let id = this.#numbers.get(key);
    if (id === undefined) {
      // Lanes that differ in the action throw: the group is none then.
      const action = this.#lanes.actionOf(group);
      id = this.#groups.push(group) - 1;
      this.#actions.push(action);
      this.#numbers.set(key, id);
    }
    return id;
  }

  /** The group behind what it does next, with an answer. */
  behind(id: number, answer?: Value): number {
    const key = `${id} ${String(answer)}`;
    let next = this.#behind.get(key);
    if (next === undefined) {
      const { register } = this.#actions[id]!;
      const group = this.#groups[id]!;
      const isDefinition = register !== '' && typeof answer === 'bigint';
      next = this.id(
        isDefinition
          ? this.#lanes.defined(group, register, answer)
          : this.#lanes.behind(group, answer),
      );
      this.#behind.set(key, next);
    }
    return next;
  }

  /** The groups that lanes of a warp form where they begin together. */
  formed(group: LaneGroup): number[] {
    return this.#classesOf(group).flatMap((each) => {
      const lanes = group.lanes.filter((lane) => each.includes(lane));
      if (lanes.length === 0) return [];
      return [this.id(this.#lanes.settle(withLanes([group], lanes)))];
    });
  }

  /** From now on lanes that differ are groups of their own. */
  refine({ group, lanes }: Divergence): void {
    const parts = this.#classesOf(group).flatMap((part) => [
      part.filter((lane) => lanes.includes(lane)),
      part.filter((lane) => !lanes.includes(lane)),
    ]);
    this.#classes.set(
      segmentOf(group),
      parts.filter((part) => part.length > 0),
    );
  }

  #classesOf(group: LaneGroup): readonly (readonly number[])[] {
    return this.#classes.get(segmentOf(group)) ?? [LANES];
  }

  /** Where groups are, for people. */
  places(ids: readonly number[]): string {
    const names = ids.map((id) => {
      const { block, warp, lanes, pc } = this.#groups[id]!;
      const opcode = this.#kernel.code[pc]?.opcode ?? 'end';
      return `block ${block} warp ${warp} lanes ${lanes[0]}-${lanes.at(-1)}: ${opcode} (${pc})`;
    });
    return names.join('; ');
  }
}

/** Some lanes of groups as one group. */
export function withLanes(groups: readonly LaneGroup[], lanes: readonly number[]): LaneGroup {
  const [first] = groups as [LaneGroup];
  const valueOf = (name: string, lane: number): bigint => {
    const group = groups.find((each) => each.lanes.includes(lane))!;
    return laneOf(group.registers.get(name)!, group.lanes.indexOf(lane));
  };
  const names = [...first.registers.keys()].filter((name) =>
    groups.every(({ registers }) => registers.has(name)),
  );
  const registers = names.map((name) => {
    return [name, simplified(lanes.map((lane) => valueOf(name, lane)))] as const;
  });
  return { ...first, lanes, registers: new Map(registers) };
}
