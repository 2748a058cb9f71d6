// The contract of a named type: an overlay, its tags and those of its bases, a model, its fields.
import { hasTags, contractOf } from '../contract/tags.ts';
import { brandOf, brandContract } from './brands.ts';
import type { Contract } from '../contract/contract.ts';
import type { ClassInfo } from '../flow/class-info.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { TypeDeclarations } from '../project/names.ts';
import type { ClassNode, SourceFile } from '../syntax/node.ts';
import { declaredContract, declaredType } from './declared-contract.ts';
import type { Overlays } from './overlays.ts';
import { structuralContract } from './structural.ts';

/** The most types that one type is followed to. */
const MAX_BASES = 16;

export interface ContractSources {
  readonly names: TypeDeclarations;
  readonly tags: Readonly<Record<string, string>>;
  readonly overlays: Overlays;
  readonly catalogue: ModelCatalogue;
  readonly classInfo: (node: ClassNode) => ClassInfo;
}

export class TypeContracts {
  readonly #from: ContractSources;
  readonly #contracts = new Map<ClassNode, Contract | undefined>();

  constructor(from: ContractSources) {
    this.#from = from;
  }

  forget(node: ClassNode): void {
    this.#contracts.delete(node);
  }

  /** The obligation of an instance of a class, or of what implements an interface. */
  ofClass(node: ClassNode): Contract | undefined {
    if (this.#contracts.has(node)) return this.#contracts.get(node);
    this.#contracts.set(node, undefined);
    const { tags, classInfo } = this.#from;
    const types = this.#withBases(node);
    const declared = declaredContract(types.map((type) => declaredType(type, tags)));
    const inferred = (): Contract | undefined =>
      types.map((type) => classInfo(type).contract).find((contract) => contract !== undefined);
    const contract = declared ?? this.#branded(types) ?? inferred() ?? structural(types);
    this.#contracts.set(node, contract);
    return contract;
  }

  /** The obligation that is written somewhere, without what is inferred from fields. */
  stated(node: ClassNode): Contract | undefined {
    const types = this.#withBases(node);
    const declared = declaredContract(types.map((type) => declaredType(type, this.#from.tags)));
    return declared ?? this.#branded(types) ?? structural(types);
  }

  /** The class, then every type that it extends or implements. */
  #withBases(node: ClassNode): ClassNode[] {
    const types = [node];
    for (let index = 0; index < types.length && types.length < MAX_BASES; index++) {
      const { heritage, implemented, file } = types[index]!;
      const names = heritage.flatMap((base) => (base.kind === 'name' ? base.text : []));
      for (const name of [...names, ...implemented]) {
        const base = this.#from.names.classNamed(name, file) ?? this.#aliased(name, file);
        if (base !== undefined && !types.includes(base)) types.push(base);
      }
    }
    return types;
  }

  /** The class or interface that a type alias is another name of. */
  #aliased(name: string, file: SourceFile, depth = 0): ClassNode | undefined {
    const type = this.#from.names.alias(name, file)?.type;
    if (type?.kind !== 'named' || depth === MAX_BASES) return undefined;
    return (
      this.#from.names.classNamed(type.name, file) ?? this.#aliased(type.name, file, depth + 1)
    );
  }

  /** `class C implements Lease`: a brand is in the heritage clause, and not in the properties. */
  #branded(types: readonly ClassNode[]): Contract | undefined {
    for (const { heritage, implemented, file } of types) {
      const names = heritage.flatMap((base) => (base.kind === 'name' ? base.text : []));
      for (const name of [...names, ...implemented]) {
        const contract = this.aliasContract(name, file);
        if (contract !== undefined) return contract;
      }
    }
    return undefined;
  }

  /** What a type alias of a file states itself. */
  aliasContract(name: string, file: SourceFile): Contract | undefined {
    const alias = this.#from.names.alias(name, file);
    if (alias === undefined) return undefined;
    if (hasTags(alias.doc)) return contractOf(name, alias.doc);
    return brandOf(alias.type, file) === 'linear' ? brandContract(name, alias.type) : undefined;
  }

  /** The contract of a type as a file names it, alone or in a namespace. */
  named(name: string, file: SourceFile, space?: string): Contract | undefined {
    const { names, catalogue, overlays } = this.#from;
    const imported = file.imports.find(({ local }) => local.text === name);
    const overlay = imported && overlays.type(imported.module, imported.imported);
    if (overlay !== undefined) return overlay;
    const alias = this.aliasContract(name, file);
    if (alias !== undefined) return alias;
    const node = names.classNamed(name, file);
    if (node !== undefined) return this.ofClass(node);
    if (space !== undefined) {
      const from = file.imports.find(({ local }) => local.text === space)?.module;
      const module = from ?? catalogue.customary(space);
      return module === undefined ? undefined : catalogue.typeNamed(name, module);
    }
    if (file.typeAliases.has(name)) return undefined;
    return catalogue.typeNamed(imported?.imported ?? name, imported?.module);
  }
}

/** A class of the project with `[Symbol.dispose]`. */
function structural(types: readonly ClassNode[]): Contract | undefined {
  const [own] = types;
  const properties = types.flatMap(({ methods, fields }) =>
    [...methods, ...fields].flatMap(({ name }) => name ?? []),
  );
  const disposal = properties.filter((name) => DISPOSE.test(name));
  if (own === undefined || disposal.length === 0 || own.isInterface) return undefined;
  const type = { name: own.name ?? 'Disposable', module: undefined };
  return structuralContract(type, disposal, properties);
}

const DISPOSE = /^\[Symbol\.(d|asyncD)ispose\]$/;
