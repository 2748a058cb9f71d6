// Creates identifiers that every target language accepts from names in the program.

/** Returns identifiers: letters, digits and single underscores, each only once. */
export class Identifiers {
  readonly #taken = new Set<string>();

  /** `full_ab_0` for the name `ab[0]` with the prefix `full`. */
  take(prefix: string, name: string): string {
    const word = name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '');
    const base = word === '' ? prefix : `${prefix}_${word}`;
    let ident = base;
    for (let number = 2; this.#taken.has(ident.toLowerCase()); number++)
      ident = `${base}_${number}`;
    this.#taken.add(ident.toLowerCase());
    return ident;
  }
}
