// What the parameters of a kernel hold, by what its text does with them: pointers, maps, numbers.
import { MAP_BYTES } from '../launch/map-key.ts';
import { parameterName } from '../text/names.ts';
import type { Parameter, PtxFunction } from '../text/module.ts';
import { originName } from './flows.ts';
import type { KernelFacts } from './kernel-facts.ts';
import type { NumberFacts } from './number-facts.ts';

/** What a value of a launch is. */
export type SlotKind = 'pointer' | 'map' | 'pointer to a map' | 'number' | 'float';

/** A value of a launch: a parameter, or a field of one. */
export interface Slot {
  /** Its name in messages and options: that of the parameter, `+` and the offset for fields. */
  readonly name: string;
  /** The number of its parameter. */
  readonly parameter: number;
  /** Bytes into the parameter. */
  readonly offset: number;
  readonly bytes: number;
  readonly kind: SlotKind;
  /** What its text shows of a number. */
  readonly facts: NumberFacts;
}

/** The values of one parameter. */
export interface SlottedParameter {
  readonly parameter: Parameter;
  readonly name: string;
  /** Whether the kernel takes a structure by value, of which these are fields. */
  readonly isStruct: boolean;
  readonly slots: readonly Slot[];
}

const NOTHING_KNOWN: NumberFacts = { thresholds: [], widths: [], strides: [] };

/** The values of all parameters of a kernel. */
export function slotsOf(entry: PtxFunction, facts: KernelFacts): SlottedParameter[] {
  return entry.parameters.map((parameter, index) => {
    const name = parameterName(entry, parameter.name);
    const isScalar = parameter.type.bits === parameter.size * 8;
    if (isScalar) {
      const slot = scalarSlot(parameter, { name, index, facts });
      return { parameter, name, isStruct: false, slots: [slot] };
    }
    const slots = fieldsOf(parameter, { name, index, facts });
    const isMap = slots.length === 1 && slots[0]!.kind === 'map' && parameter.size === MAP_BYTES;
    return { parameter, name, isStruct: !isMap, slots: isMap ? [{ ...slots[0]!, name }] : slots };
  });
}

/** A parameter that is looked at. */
interface Looked {
  readonly name: string;
  readonly index: number;
  readonly facts: KernelFacts;
}

function scalarSlot({ size, type }: Parameter, { name, index, facts }: Looked): Slot {
  const origin = originName.value(index, 0);
  const field = facts.flows.fields.get(origin);
  const isFloat = type.class === 'float' || field?.isFloat === true;
  const base = { name, parameter: index, offset: 0, bytes: size };
  const known = facts.numbers.get(origin) ?? NOTHING_KNOWN;
  const kind = isFloat ? 'float' : wordKind(origin, size, facts, field === undefined);
  return { ...base, kind, facts: known };
}

/** What an integer is. One of 8 bytes that nothing reads is a pointer, as most are. */
function wordKind(
  origin: string,
  bytes: number,
  { maps, pointers }: KernelFacts,
  isUnread: boolean,
): SlotKind {
  if (maps.has(origin)) return 'pointer to a map';
  return pointers.has(origin) || (isUnread && bytes === 8) ? 'pointer' : 'number';
}

/** The fields of a structure that the text reads, and the maps in it. */
function fieldsOf({ size }: Parameter, { name, index, facts }: Looked): Slot[] {
  const slots: Slot[] = [];
  for (const origin of facts.maps.keys()) {
    const place = /^&(\d+)\+(\d+)$/.exec(origin);
    if (place === null || Number(place[1]) !== index) continue;
    const offset = Number(place[2]);
    if (offset % 64 !== 0 || offset + MAP_BYTES > size) continue;
    const base = { name: `${name}+${offset}`, parameter: index, offset, bytes: MAP_BYTES };
    slots.push({ ...base, kind: 'map', facts: NOTHING_KNOWN });
  }
  for (const { parameter, offset, bytes, isFloat } of facts.flows.fields.values()) {
    if (parameter !== index || offset + bytes > size) continue;
    const origin = originName.value(index, offset);
    const kind = isFloat ? 'float' : wordKind(origin, bytes, facts, false);
    const known = facts.numbers.get(origin) ?? NOTHING_KNOWN;
    slots.push({ name: `${name}+${offset}`, parameter: index, offset, bytes, kind, facts: known });
  }
  slots.sort((one, other) => one.offset - other.offset || other.bytes - one.bytes);
  // A field that is read in two widths is as wide as the widest.
  let end = 0;
  return slots.filter(({ offset, bytes }) => {
    if (offset < end) return false;
    end = offset + bytes;
    return true;
  });
}
