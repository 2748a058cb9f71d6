// The types of TypeScript 7, as `TypeShapes` reads them.
import type { SymbolInfo } from '../oracle.ts';
import { moduleOf } from '../syntax/declaring-module.ts';
import {
  answerOf,
  answersOf,
  ObjectFlags,
  SignatureKind,
  SymbolFlags,
  TypeFlags,
} from './seven-api.ts';
import type { Checker, Symbol, Type } from './seven-api.ts';
import {
  declaresBrands,
  type PropertyAccess,
  type TypeAccess,
  type TypeKind,
} from './type-shape.ts';

/** Symbols of values whose type has no declaration of its own: `typeof C`, a function. */
const VALUES = SymbolFlags.Class | SymbolFlags.Function | SymbolFlags.Method | SymbolFlags.Module;

/** The types of so few properties are asked for together: those of a record all matter. */
const MAX_TOGETHER = 12;

export class SevenTypes implements TypeAccess<Type> {
  readonly #checker: Checker;
  readonly #symbolInfo: (symbol: Symbol) => SymbolInfo;
  readonly #text: (path: string) => string;
  readonly #brands = new Map<string, boolean>();

  constructor(
    checker: Checker,
    symbolInfo: (symbol: Symbol) => SymbolInfo,
    text: (path: string) => string,
  ) {
    this.#checker = checker;
    this.#symbolInfo = symbolInfo;
    this.#text = text;
  }

  kind(type: Type): TypeKind {
    return answerOf(() => this.#kind(type)) ?? 'open';
  }

  #kind(type: Type): TypeKind {
    const { flags } = type;
    if ((flags & (TypeFlags.AnyOrUnknown | TypeFlags.Never)) !== 0) return 'open';
    if ((flags & (TypeFlags.Nullable | TypeFlags.Void)) !== 0) return 'nullish';
    if (type.isUnionType()) return (flags & TypeFlags.Boolean) !== 0 ? 'primitive' : 'union';
    if (type.isIntersectionType()) return 'intersection';
    if ((flags & TypeFlags.Object) !== 0) {
      const isReference = type.isTypeReference();
      return isReference && type.getTarget().isTupleType() ? 'tuple' : 'object';
    }
    if ((flags & TypeFlags.Instantiable) !== 0) {
      return (flags & TypeFlags.StringLike) !== 0 ? 'primitive' : 'parameter';
    }
    return 'primitive';
  }

  parts(type: Type): readonly Type[] {
    return type.isUnionType() || type.isIntersectionType() ? type.getTypes() : [];
  }

  constraint(type: Type): Type | undefined {
    return answerOf(() => this.#checker.getBaseConstraintOfType(type));
  }

  typeArguments(type: Type): readonly Type[] {
    return type.isTypeReference() ? this.#checker.getTypeArguments(type) : [];
  }

  symbol(type: Type): SymbolInfo | undefined {
    const symbol = type.getSymbol();
    if (symbol === undefined || symbol.name.startsWith('__')) return undefined;
    const { objectFlags } = type as { objectFlags?: number };
    const isAnonymous = ((objectFlags ?? 0) & ObjectFlags.Anonymous) !== 0;
    if (isAnonymous && (symbol.flags & VALUES) !== 0) return undefined;
    return this.#symbolInfo(symbol);
  }

  alias(type: Type): SymbolInfo | undefined {
    const alias = type.getAliasSymbol();
    return alias && this.#symbolInfo(alias);
  }

  properties(type: Type): readonly PropertyAccess<Type>[] {
    const symbols = this.#checker.getPropertiesOfType(type);
    const typesOf = (some: readonly Symbol[]): readonly (Type | undefined)[] =>
      answersOf(some, (each) => this.#checker.getTypeOfSymbol(each));
    let types: readonly (Type | undefined)[] | undefined;
    return symbols.map((symbol, index) => ({
      name: String(symbol.escapedName),
      path: symbol.declarations[0]?.path,
      isMethod: (symbol.flags & SymbolFlags.Method) !== 0,
      type: () => {
        if (symbols.length > MAX_TOGETHER) return typesOf([symbol])[0];
        types ??= typesOf(symbols);
        return types[index];
      },
    }));
  }

  isCallable(type: Type): boolean {
    if ((type.flags & TypeFlags.Object) === 0) return false;
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
  }

  literal(type: Type): string | boolean | undefined {
    if (type.isStringLiteralType()) return type.value;
    return type.isBooleanLiteralType() ? type.value : undefined;
  }

  isDisposableOfPackage(type: Type): boolean {
    const exported = type.getSymbol()?.getParent()?.getExports();
    for (const [name, symbol] of exported ?? []) {
      if (!/^I?Disposable$/.test(name)) continue;
      const disposable = this.#checker.getDeclaredTypeOfSymbol(symbol);
      if (this.#checker.isTypeAssignableTo(type, disposable)) return true;
    }
    return false;
  }

  declaresBrands(path: string): boolean {
    const cached = this.#brands.get(path);
    if (cached !== undefined) return cached;
    const found = declaresBrands(moduleOf(path), () => this.#text(path));
    this.#brands.set(path, found);
    return found;
  }
}
