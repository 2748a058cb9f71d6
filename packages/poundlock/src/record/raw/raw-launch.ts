// A launch as the library writes it: a line of JSON. A line that is something else is refused.
import { Field } from '@poundlock/ptx/internal/launch/json-fields';
import { MAX_PARAMETER_BYTES } from '@poundlock/ptx/internal/launch/parameter-block';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';

/** A tensor map as the program encoded it. */
export interface RawTensorMap {
  /** Where it is in the recorded bytes: the map itself, or a pointer to it. */
  readonly at: number;
  readonly isBehindPointer: boolean;
  readonly encoded: 'tiled' | 'im2col';
  /** CUtensorMapDataType. */
  readonly type: number;
  readonly address: bigint;
  /** The allocation of its address; `undefined` if it has been freed. */
  readonly allocation: Pick<RawPointer, 'base' | 'size'> | undefined;
  readonly interleave: number;
  readonly swizzle: number;
  readonly fill: number;
  readonly dimensions: readonly number[];
  readonly strides: readonly number[];
  readonly elementStrides: readonly number[];
  readonly box: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly channels: number;
  readonly pixels: number;
}

/** A device address in the recorded bytes, with its allocation. */
export interface RawPointer {
  readonly at: number;
  readonly address: bigint;
  readonly base: bigint;
  readonly size: number;
}

/** Device memory that was copied before the launch. */
export interface RawMemory {
  readonly at: number;
  readonly address: bigint;
  readonly bytes: Uint8Array;
  /** Device addresses in these bytes. */
  readonly pointers: readonly RawPointer[];
}

/** A launch as the library writes it. */
export interface RawLaunch {
  readonly name: string;
  /** The hash of its image; empty if that was not written. */
  readonly image: string;
  readonly kind: string;
  /** The file that the driver loaded, if it did. */
  readonly file: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly cluster: Dimensions | undefined;
  readonly dynamicShared: number;
  /** Registers of a thread of the code that ran; 0 if the driver did not say. */
  readonly registers: number;
  readonly isCooperative: boolean;
  readonly isProgrammatic: boolean;
  readonly isCaptured: boolean;
  readonly device: {
    readonly major: number;
    readonly minor: number;
    readonly processors: number;
    readonly driver: number;
  };
  /** Whether the driver gave the sizes of the parameters. */
  readonly isSized: boolean;
  /** Whether the parameters are one buffer that the program laid out. */
  readonly isPacked: boolean;
  readonly bytes: Uint8Array;
  readonly parameters: readonly { readonly offset: number; readonly size: number }[];
  readonly tensorMaps: readonly RawTensorMap[];
  readonly pointers: readonly RawPointer[];
  readonly memory: readonly RawMemory[];
}

const MAX_SIZE = 2 ** 48;
const MAX_WORD = 2 ** 32 - 1;
const MAX_RECORDED_BYTES = 2 * MAX_PARAMETER_BYTES;
const MAX_COPY = 1 << 26;
const MAX_REGISTERS = 256;

function three(field: Field): Dimensions {
  const [x = 1, y = 1, z = 1] = field.elements().map((each) => each.integer(1, MAX_WORD));
  return [x, y, z];
}

function numbers(field: Field, least = 0): number[] {
  return field.elements().map((each) => each.integer(least, Number.MAX_SAFE_INTEGER));
}

function pointersOf(field: Field, most: number): RawPointer[] {
  return field
    .at('pointers')
    .elements()
    .map((each) => ({
      at: each.at('at').integer(0, most),
      address: each.at('address').big(),
      base: each.at('base').big(),
      size: each.at('size').integer(0, MAX_SIZE),
    }));
}

function rawMap(field: Field): RawTensorMap {
  const isBehindPointer = field.at('at').isMissing;
  const word = (name: string): number => field.at(name).integer(0, MAX_WORD, 0);
  return {
    at: field.at(isBehindPointer ? 'behind' : 'at').integer(0, MAX_RECORDED_BYTES),
    isBehindPointer,
    encoded: field.at('encoded').text() === 'im2col' ? 'im2col' : 'tiled',
    type: word('type'),
    address: field.at('address').big(),
    allocation: field.at('base').isMissing
      ? undefined
      : { base: field.at('base').big(), size: field.at('size').integer(0, MAX_SIZE) },
    interleave: word('interleave'),
    swizzle: word('swizzle'),
    fill: word('fill'),
    dimensions: numbers(field.at('dimensions')),
    strides: numbers(field.at('strides')),
    elementStrides: numbers(field.at('elementStrides')),
    box: numbers(field.at('box')),
    lower: numbers(field.at('lower'), Number.MIN_SAFE_INTEGER),
    upper: numbers(field.at('upper'), Number.MIN_SAFE_INTEGER),
    channels: word('channels'),
    pixels: word('pixels'),
  };
}

/**
 * Reads a line of a recording.
 *
 * @param file Its file and line, for messages.
 * @throws InputError where it is not a launch.
 */
export function rawLaunch(value: unknown, file: string): RawLaunch {
  const line = new Field(file, '', value);
  const device = line.at('device');
  const [major, minor] = device.at('sm').elements();
  const parameters = line.at('parameters');
  const place = (field: Field): number => field.at('at').integer(0, MAX_RECORDED_BYTES);
  return {
    name: line.at('name').text(),
    image: line.at('image').text(''),
    kind: line.at('kind').text(''),
    file: line.at('file').text(''),
    grid: three(line.at('grid')),
    block: three(line.at('block')),
    cluster: line.at('cluster').isMissing ? undefined : three(line.at('cluster')),
    dynamicShared: line.at('dynamicShared').integer(0, MAX_WORD),
    registers: line.at('registers').integer(0, MAX_REGISTERS, 0),
    isCooperative: line.at('isCooperative').flag(),
    isProgrammatic: line.at('isProgrammatic').flag(),
    isCaptured: line.at('isCaptured').flag(),
    device: {
      major: major?.integer(0, 999) ?? 0,
      minor: minor?.integer(0, 999) ?? 0,
      processors: device.at('processors').integer(0, MAX_WORD),
      driver: device.at('driver').integer(0, MAX_WORD),
    },
    isSized: parameters.at('isSized').flag(),
    isPacked: parameters.at('isPacked').flag(),
    bytes: parameters.at('bytes').bytes(MAX_RECORDED_BYTES),
    parameters: parameters
      .at('list')
      .elements()
      .map((each) => {
        const [offset = 0, size = 0] = numbers(each);
        return { offset, size };
      }),
    tensorMaps: line.at('tensorMaps').elements().map(rawMap),
    pointers: pointersOf(line, MAX_RECORDED_BYTES),
    memory: line
      .at('memory')
      .elements()
      .map((each) => ({
        at: place(each),
        address: each.at('address').big(),
        bytes: each.at('bytes').bytes(MAX_COPY),
        pointers: pointersOf(each, MAX_COPY),
      })),
  };
}
