// The resource models of a run: which of them a call or a type belongs to.
import { makeContract, type Contract } from '../contract/contract.ts';
import type { Shape, Target } from '../flow/world.ts';
import type { TypeInfo } from '../oracle.ts';
import type { Call } from '../syntax/node.ts';
import type { Model } from './model.ts';

export class Catalogue {
  readonly models: readonly Model[];
  readonly #contracts = new Map<Model, Contract>();

  constructor(models: readonly Model[]) {
    this.models = models;
  }

  contract(model: Model): Contract {
    const known = this.#contracts.get(model);
    if (known !== undefined) return known;
    const { id, types, release } = model;
    const made = makeContract({ id, typeName: types[0] ?? id, release });
    this.#contracts.set(model, made);
    return made;
  }

  typeNamed(_name: string, _module: string | undefined): Contract | undefined {
    return undefined;
  }

  refine(_call: Call, target: Target, _type: TypeInfo | undefined): Target {
    return target;
  }
}

export type { Shape };
