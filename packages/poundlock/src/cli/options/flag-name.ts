// The names of options on the command line: `max-events` for `maxEvents`.

/** The name of an option of the command line, from its key. */
export function flagName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
