// Whether values of a type can be views of a handle.
import type { ViewKind } from '../flow/world.ts';
import type { TypeShape } from '../oracle.ts';

/** Types of TypeScript's library whose values are, or may share, a buffer. */
const MEMORY = /^(\w+Array|(Shared)?ArrayBuffer|DataView|Buffer)$/;

/** What a value of a type may share with the object that it was derived from. */
export function viewKindOf(type: TypeShape): ViewKind {
  switch (type.k) {
    case 'object':
      return type.names.some(({ name }) => MEMORY.test(name)) ? 'memory' : 'object';
    case 'many':
    case 'tuple':
      return 'object';
    case 'union': {
      const kinds = type.of.map(viewKindOf).filter((kind) => kind !== 'none');
      return kinds.includes('memory') ? 'memory' : (kinds[0] ?? 'none');
    }
    case 'promise':
    case 'open':
    case 'primitive':
      return 'none';
  }
}
