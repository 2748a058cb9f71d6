// Reads fields of a JSON document with errors that name the file and the field.
import { InputError, unknownName } from '@poundlock/core/internal/base';

/** Whether a key is a comment, which readers skip. */
function isComment(name: string): boolean {
  return name.startsWith('//') || name.startsWith('x-');
}

/** A value of a document, with its path for messages. */
export class Field {
  readonly file: string;
  readonly path: string;
  readonly value: unknown;

  constructor(file: string, path: string, value: unknown) {
    this.file = file;
    this.path = path;
    this.value = value;
  }

  /** @throws InputError that names the file and the field. */
  fail(reason: string): never {
    throw new InputError(
      `${this.file}: ${this.path === '' ? 'the document' : `'${this.path}'`} ${reason}`,
    );
  }

  /** The same value by another name. */
  named(path: string): Field {
    return new Field(this.file, path, this.value);
  }

  get isMissing(): boolean {
    return this.value === undefined;
  }

  #members(): object {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.fail('has to be an object');
    return value;
  }

  /** The names of the members of an object. */
  names(): string[] {
    return Object.keys(this.#members());
  }

  /** This object, whose members have no other names than these. */
  only(names: readonly string[]): this {
    const unknown = unknownName(
      this.names().filter((name) => !isComment(name)),
      names,
    );
    if (unknown === null) return this;
    const list = unknown.includes('did you mean') ? '' : `: it takes ${names.join(', ')}`;
    return this.fail(`takes ${unknown}${list}`);
  }

  /** A member of an object. */
  at(name: string): Field {
    return new Field(
      this.file,
      this.path === '' ? name : `${this.path}.${name}`,
      Reflect.get(this.#members(), name),
    );
  }

  /** The elements of an array; none if it is missing. */
  elements(): Field[] {
    if (this.isMissing) return [];
    if (!Array.isArray(this.value)) this.fail('has to be an array');
    return this.value.map(
      (element, index) => new Field(this.file, `${this.path}[${index}]`, element),
    );
  }

  text(missing?: string): string {
    if (this.isMissing && missing !== undefined) return missing;
    return typeof this.value === 'string' ? this.value : this.fail('has to be a string');
  }

  /** A whole number within limits. */
  integer(least: number, most: number, missing?: number): number {
    if (this.isMissing && missing !== undefined) return missing;
    const { value } = this;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      this.fail(`has to be a whole number from ${least} to ${most}`);
    return value;
  }

  /** One of some words; nothing if it is missing. */
  word(words: readonly string[]): string | null {
    if (this.isMissing) return null;
    const text = this.text();
    const unknown = unknownName([text], words);
    return unknown === null
      ? text
      : this.fail(`is ${unknown.replace(/^no /, '')}, not one of ${words.join(', ')}`);
  }

  flag(): boolean {
    if (this.isMissing) return false;
    return typeof this.value === 'boolean' ? this.value : this.fail('has to be true or false');
  }

  /** An integer of up to 64 bits: a number, or a string with a decimal or hexadecimal one. */
  big(): bigint {
    const { value } = this;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    if (typeof value === 'string' && /^-?(\d+|0x[0-9a-fA-F]+)$/.test(value))
      return value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value);
    return this.fail('has to be a whole number');
  }

  /** An address of 64 bits in hexadecimal. */
  address(): bigint {
    const text = this.text();
    return /^0x[0-9a-fA-F]{1,16}$/.test(text) ? BigInt(text) : this.fail('has to be an address');
  }

  /** Bytes in hexadecimal. */
  bytes(most: number): Uint8Array {
    const text = this.text();
    if (!/^([0-9a-fA-F]{2})*$/.test(text)) this.fail('has to be bytes in hexadecimal');
    if (text.length / 2 > most) this.fail(`has more than ${most} bytes`);
    return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
      Number.parseInt(text.slice(2 * index, 2 * index + 2), 16),
    );
  }
}
