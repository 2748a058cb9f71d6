// In which state space a variable has to be whose name an operand has in brackets.
import type { Effect, Role, Roles, Space } from './effect.ts';

/** What the table says of an instruction: what it does, its roles, and the spaces that it names. */
interface Addressing {
  readonly effect: Effect;
  readonly roles: Roles;
  /** In the order of its words. */
  readonly spaces: readonly Space[];
}

/** The space of the operand at an index; `null`: any is right. */
export function addressSpace({ effect, roles, spaces }: Addressing, index: number): Space | null {
  const [first = 'generic', second = first] = spaces;
  const isFor = (role: Role): boolean => roles[role] === index;
  switch (effect.kind) {
    case 'copy':
      if (isFor('map')) return null;
      return isFor('mbarrier') ? 'shared' : isFor('from') ? second : first;
    case 'tensor map':
      return index === 0 ? first : second;
    case 'prefetch':
      return isFor('map') ? null : first;
    case 'opaque':
    case 'hint':
      return first === 'generic' ? null : first;
    case 'access':
    case 'matrix':
    case 'warp matrix':
    case 'mbarrier':
    case 'launch control':
    case 'tcgen05':
    case 'fence':
    case 'group':
    case 'barrier':
    case 'wgmma':
    case 'lanes':
    case 'grid':
    case 'registers':
    case 'control':
    case 'compute':
      return first;
  }
}

/** Why a variable of a space does not fit an instruction; `null` if it does. */
export function spaceMisfit(decoded: Addressing, index: number, space: Space): string | null {
  const wanted = addressSpace(decoded, index);
  if (wanted === null || wanted === space) return null;
  // A generic address of a parameter is made by cvta.
  if (wanted === 'generic') {
    const isRefused = decoded.effect.kind === 'access' && space === 'param';
    return isRefused ? 'is a parameter, and the instruction names no .param' : null;
  }
  return `is in .${space}, and the instruction takes one in .${wanted}`;
}
