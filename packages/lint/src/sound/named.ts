// Which types have to be released: all that are stated, with those of the language, or a part.
import { makeContract, type Contract } from '../contract/contract.ts';
import type { NamedContracts } from '../obligations/from-type.ts';
import { releaseOf } from './library.ts';

/** The types with `@linear`, and classes that own values of them. */
export function linearOf({ overlay, tagged }: NamedContracts): NamedContracts {
  const linear = (contract: Contract | undefined): Contract | undefined =>
    contract?.isLinear === true ? contract : undefined;
  return {
    overlay: (name) => linear(overlay(name)),
    tagged: (name) => linear(tagged(name)),
    modeled: () => undefined,
  };
}

/** The types of the language whose values have to be released. */
export function withLanguage(named: NamedContracts): NamedContracts {
  return {
    ...named,
    modeled: (type) => {
      const release = type.module === 'lib' ? releaseOf(type.name) : undefined;
      if (release === undefined) return named.modeled(type);
      return makeContract({ id: type.name, typeName: type.name, release });
    },
  };
}
