// The brands of `@poundlock/linear`, as type annotations write them.
import { makeContract, type Contract, type OwnershipKind } from '../contract/contract.ts';
import type { SourceFile } from '../syntax/node.ts';
import { alternatives, type TypeNode } from '../syntax/type-node.ts';

/** A brand: an obligation, or whose a value is. */
export type Brand = 'linear' | OwnershipKind;

const BRANDS: Readonly<Record<string, Brand>> = {
  Linear: 'linear',
  Owned: 'owned',
  Borrowed: 'borrowed',
};

/** The package, and a copy of its text in a project. */
const MODULE = /^@poundlock\/linear$|(^|\/)linear(\.[cm]?[jt]s)?$/;

/** The brand that a type annotation of a file names, under whatever name it was imported. */
export function brandOf(type: TypeNode | undefined, file: SourceFile): Brand | undefined {
  if (type?.kind !== 'named') return undefined;
  const imported = file.imports.find(({ local }) => local.text === type.name);
  if (imported === undefined || !MODULE.test(imported.module)) return undefined;
  return BRANDS[imported.imported];
}

/** The contract of `Linear<T, 'close' | 'abort'>`. */
export function brandContract(typeName: string, type: TypeNode): Contract | undefined {
  const methods = type.kind === 'named' ? type.args[1] : undefined;
  if (methods === undefined) return undefined;
  const release = alternatives(methods).flatMap((each) =>
    each.kind === 'keyword' && each.name.startsWith("'") ? [each.name.slice(1, -1)] : [],
  );
  return release.length === 0 ? undefined : makeContract({ id: typeName, typeName, release });
}

/** Whether a parameter is annotated with `Owned<T>` or `Borrowed<T>`. */
export function ownershipOfType(
  type: TypeNode | undefined,
  file: SourceFile,
): OwnershipKind | undefined {
  const brand = brandOf(type, file);
  return brand === 'linear' ? undefined : brand;
}
