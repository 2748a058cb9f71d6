// Fields with text: its bytes in UTF-8 in a fixed space, and their number before them.
import { InputError } from '../../core/src/base/index.ts';

/** The types of fields with text: text itself, and values as JSON. */
export const TEXT_TYPES = ['utf8', 'json'] as const;
export type TextType = (typeof TEXT_TYPES)[number];

/** The bytes before a text: their number. */
export const TEXT_HEAD = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** One field of one stage. */
export class TextField {
  readonly #name: string;
  readonly #isJson: boolean;
  readonly #count: Uint32Array;
  readonly #bytes: Uint8Array;

  constructor(name: string, type: TextType, buffer: ArrayBuffer, at: number, capacity: number) {
    this.#name = name;
    this.#isJson = type === 'json';
    this.#count = new Uint32Array(buffer, at, 1);
    this.#bytes = new Uint8Array(buffer, at + TEXT_HEAD, capacity);
  }

  read(): unknown {
    // Decoders of browsers refuse shared memory.
    const text = decoder.decode(this.#bytes.slice(0, this.#count[0]!));
    if (!this.#isJson) return text;
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  write(value: unknown): void {
    const text = this.#isJson ? JSON.stringify(value) : value;
    if (typeof text !== 'string' || /\p{Surrogate}/u.test(text)) {
      const what = this.#isJson ? 'a value that JSON has a form of' : 'a well-formed text';
      throw new InputError(`field ${this.#name} needs ${what}, not ${String(value)}`);
    }
    const bytes = encoder.encode(text);
    if (bytes.length > this.#bytes.length) {
      throw new InputError(
        `field ${this.#name} has ${this.#bytes.length} bytes, and its text needs ${bytes.length}`,
      );
    }
    this.#bytes.set(bytes);
    this.#count[0] = bytes.length;
  }
}
