// Whether a memory is that of a ring, and of this one: checked before the first word is used.
import { InputError } from '../../core/src/base/index.ts';
import { Header, RingLayout, type RingShape } from './layout.ts';
import { layOutSchema, type Schema } from './schema.ts';

/** The first word of every ring. */
const MAGIC = 0x7031_636b;
/** The version of the layout: threads that share a ring must have the same. */
const VERSION = 3;

/** FNV-1a over the shape's text. */
function hashOf(shape: RingShape): number {
  let hash = 0x811c_9dc5;
  for (const char of JSON.stringify(shape)) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x0100_0193);
  }
  return hash | 0;
}

/** Marks a new memory as that of a ring of this shape. */
export function sign(words: Int32Array, shape: RingShape): void {
  words[Header.magic] = MAGIC;
  words[Header.version] = VERSION;
  words[Header.shape] = hashOf(shape);
}

/** Throws unless `value` is what `transfer()` returned. */
export function requireRing(value: unknown): asserts value is { shape: RingShape } {
  const fail = (what: string): never => {
    throw new InputError(`attachRing needs what ring.transfer() returned: ${what}`);
  };
  if (typeof value !== 'object' || value === null) fail(`this is ${String(value)}`);
  const { shape, memory, port } = value as Record<string, unknown>;
  if (typeof shape !== 'object' || shape === null) fail('it has no shape');
  const buffer = (memory as { buffer?: unknown } | undefined)?.buffer;
  const isShared = typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
  if (!isShared) fail('it has no shared memory');
  if (typeof port !== 'number') fail('it has no port');
  requireSigned(shape as RingShape, buffer as SharedArrayBuffer);
}

/** Throws unless a ring has this schema. */
export function requireSchema({ name, payload }: RingShape, schema: Schema): void {
  const value = layOutSchema(schema);
  if (JSON.stringify(value.fields) === JSON.stringify(payload.fields)) return;
  const names = payload.fields.map((field) => field.name).join(', ');
  throw new InputError(`ring ${name} has another schema, with the fields: ${names || 'none'}`);
}

function requireSigned(shape: RingShape, buffer: SharedArrayBuffer): void {
  const { name = 'ring' } = shape;
  const words = new Int32Array(buffer);
  if (words[Header.magic] !== MAGIC) {
    throw new InputError(`the memory given as that of ring ${name} is not the memory of a ring`);
  }
  if (words[Header.version] !== VERSION) {
    throw new InputError(
      `ring ${name} has layout ${words[Header.version]}, and this package has ${VERSION}: ` +
        `all threads must use the same version of @poundlock/ring`,
    );
  }
  if (words[Header.shape] !== hashOf(shape)) {
    throw new InputError(
      `the memory given as that of ring ${name} is that of another ring, ` +
        `with other stages, fields or options`,
    );
  }
  const { bytes } = new RingLayout(shape);
  if (buffer.byteLength < bytes) {
    throw new InputError(`ring ${name} needs ${bytes} bytes of memory, not ${buffer.byteLength}`);
  }
}
