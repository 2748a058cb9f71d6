// The contract of a type that only has a member to dispose of its values.
import { makeContract, type Contract } from '../contract/contract.ts';
import { endsByItself, isNoResource } from '../heuristics/self-ending.ts';
import { possiblyReleasingMethods, releasingMethods } from './vocabulary.ts';

/** Any method that ends an object of the type releases it; more than once is harmless. */
export function structuralContract(
  type: { readonly name: string; readonly module: string | undefined } | undefined,
  disposal: readonly string[],
  properties: readonly string[],
): Contract | undefined {
  if (isNoResource(type, properties)) return undefined;
  const typeName = type?.name ?? 'Disposable';
  return makeContract({
    id: typeName,
    typeName,
    release: [...new Set([...disposal, ...releasingMethods(properties)])],
    alsoReleasedBy: new Set(possiblyReleasingMethods(properties)),
    idempotent: true,
    usableAfter: endsByItself(properties),
    isStructural: true,
    isOfProject: type !== undefined && type.module === undefined,
  });
}
