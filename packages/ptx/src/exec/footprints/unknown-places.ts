// Accesses to global memory at addresses that are not known, and what else they may meet.
import { AddressBases } from '../../flow/address-bases.ts';
import type { NameOf } from '../../flow/address-bases.ts';
import type { Launch } from '../../launch/launch.ts';
import type { PtxFunction } from '../../text/module.ts';
import { isOrderedBetween, mayNotMeet } from './groups.ts';
import { instructionsOf } from './touches.ts';
import type { NotedTouches, UnknownTouch } from '../../steps/touches.ts';
import type { Program } from '../warp/program.ts';

/** What an access at some address may meet: memory that pointers lead to, or any. */
type Names = ReadonlySet<string> | null;

interface Placed extends Omit<UnknownTouch, 'isPassed'> {
  readonly names: Names;
}

/** What is executed, for what its addresses are derived from. */
export interface PlacedCode {
  readonly program: Program;
  readonly launch: Launch;
}

/** The pointers behind the addresses of a program, by the parameters of its launch. */
const known = new WeakMap<Uint8Array, WeakMap<PtxFunction, AddressBases>>();

function basesOf({ program, launch }: PlacedCode): AddressBases {
  const { code, provenance } = program;
  let byCode = known.get(launch.parameters);
  if (byCode === undefined) known.set(launch.parameters, (byCode = new WeakMap()));
  let bases = byCode.get(code);
  if (bases === undefined)
    byCode.set(
      code,
      (bases = new AddressBases(code, provenance.definitions, namesIn(code, launch))),
    );
  return bases;
}

const WINDOW = 2 ** 32;

/** Names of memory: pointers that hold the same lead to the same. */
function namesIn(code: PtxFunction, launch: Launch): NameOf {
  const { parameters, knownParameters, bounds, reached = [] } = launch;
  const view = new DataView(parameters.buffer, parameters.byteOffset, parameters.byteLength);
  const all = new Map(code.parameters.map((each) => [each.name, each]));
  return (symbol, offset) => {
    const parameter = all.get(symbol);
    if (parameter === undefined) return symbol;
    const at = parameter.offset + offset;
    const isKnown = knownParameters.subarray(at, at + 8).every((each) => each === 1);
    if (!isKnown || at + 8 > parameters.length) return `${symbol}+${offset}`;
    const value = Number(view.getBigUint64(at, true));
    const buffer = bounds.get(Math.floor(value / WINDOW));
    if (buffer !== undefined) return buffer.name;
    const isReached = reached.some(([from, to]) => from <= value && value <= to);
    const saysAll = bounds.size > 0 || reached.length > 0;
    return isReached || !saysAll ? `at ${value}` : null;
  };
}

/** All instructions that touch global memory, with the pointers that lead there. */
function allOf(touches: readonly NotedTouches[], code: PlacedCode): Map<number, Placed> {
  const placed = new Map<number, Placed>();
  for (const { list, unknown } of touches)
    for (const touch of [...list, ...unknown.values()])
      for (const at of instructionsOf(touch)) {
        if (placed.has(at)) continue;
        const { isRead, isWrite, kind, reach } = touch;
        const own = { at, isRead, isWrite, kind, names: pointersAt(at, code) };
        placed.set(at, reach === undefined ? own : { ...own, reach });
      }
  return placed;
}

function asKind(touch: Placed): Parameters<typeof mayNotMeet>[0] {
  return { isWrite: touch.isWrite, isOrdered: isOrderedBetween(touch) };
}

function mayBeOne(one: Names, other: Names): boolean {
  return one === null || other === null || [...one].some((name) => other.has(name));
}

/** The pointers that the address of an instruction is derived from; `null`: any memory. */
export function pointersAt(at: number, code: PlacedCode): ReadonlySet<string> | null {
  return basesOf(code).of(at, code.program.touchings[at]!.operand);
}

/** Instructions at unknown addresses, by whether they may meet what another thread does. */
export interface UnknownPlaces {
  readonly meeting: readonly UnknownTouch[];
  /** Those that would, if all pointers led to the same memory. */
  readonly separate: readonly UnknownTouch[];
}

/** Instructions at unknown addresses, beside all that clusters touch. */
export function unknownPlaces(touches: readonly NotedTouches[], code: PlacedCode): UnknownPlaces {
  const unknown = touches.flatMap((each) => [...each.unknown.values()]);
  const meeting: UnknownTouch[] = [];
  const separate: UnknownTouch[] = [];
  if (unknown.length === 0) return { meeting, separate };
  const all = allOf(touches, code);
  for (const each of unknown) {
    const own = all.get(each.at)!;
    const others = [...all.values()].filter((other) => mayNotMeet(asKind(own), asKind(other)));
    if (others.some(({ names }) => mayBeOne(own.names, names))) meeting.push(each);
    else if (others.length > 0) separate.push(each);
  }
  return { meeting, separate };
}
