// Letters for the agents of a schedule: roles first, then the library's units.

/** An agent that can move: a role, or a unit that completes one of its flights. */
export interface TokenAgent {
  readonly kind: 'role' | 'unit';
  /** The role's or unit's index. */
  readonly index: number;
  readonly name: string;
  /** How a replay token writes it: one letter, or `[name]` when the alphabet is used up. */
  readonly letter: string;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function freeLetter(name: string, taken: Set<string>): string {
  const letters = [...name.toLowerCase(), ...name.toUpperCase(), ...ALPHABET];
  const letter = letters.find((one) => ALPHABET.includes(one) && !taken.has(one));
  if (letter === undefined) return `[${name}]`;
  taken.add(letter);
  return letter;
}

/**
 * The agents of a program. The letters follow from the names alone: the first letter of a role's
 * name that no earlier agent has.
 *
 * @example
 * letterAgents(['load', 'mma'], ['tma', 'mma']).map((agent) => agent.letter); // l m t a
 */
export function letterAgents(roles: readonly string[], units: readonly string[]): TokenAgent[] {
  const taken = new Set<string>();
  const agent = (kind: TokenAgent['kind']) => (name: string, index: number) => {
    return { kind, index, name, letter: freeLetter(name, taken) };
  };
  return [...roles.map(agent('role')), ...units.map(agent('unit'))];
}
