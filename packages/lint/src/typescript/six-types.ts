// The types of classic TypeScript, as `TypeShapes` reads them.
import type { SymbolInfo } from '../oracle.ts';
import { moduleOf } from '../syntax/declaring-module.ts';
import type { ClassicChecker, ClassicSymbol, ClassicType, ClassicTypeScript } from './six.ts';
import {
  declaresBrands,
  type PropertyAccess,
  type TypeAccess,
  type TypeKind,
} from './type-shape.ts';

const CALL_SIGNATURES = 0;

export class SixTypes implements TypeAccess<ClassicType> {
  readonly #ts: ClassicTypeScript;
  readonly #checker: ClassicChecker;
  readonly #symbolInfo: (symbol: ClassicSymbol) => SymbolInfo;

  constructor(
    ts: ClassicTypeScript,
    checker: ClassicChecker,
    symbolInfo: (symbol: ClassicSymbol) => SymbolInfo,
  ) {
    this.#ts = ts;
    this.#checker = checker;
    this.#symbolInfo = symbolInfo;
  }

  kind(type: ClassicType): TypeKind {
    const { TypeFlags: flags } = this.#ts;
    const isOf = (mask: number): boolean => (type.flags & mask) !== 0;
    if (isOf(flags.Any | flags.Unknown | flags.Never)) return 'open';
    if (isOf(flags.Undefined | flags.Null | flags.Void)) return 'nullish';
    if (type.isUnion()) return isOf(flags.BooleanLike) ? 'primitive' : 'union';
    if (isOf(flags.Intersection)) return 'intersection';
    if (isOf(flags.Object)) return this.#isTuple(type) ? 'tuple' : 'object';
    if (isOf(flags.Instantiable)) return isOf(flags.StringLike) ? 'primitive' : 'parameter';
    return 'primitive';
  }

  #isTuple({ target }: ClassicType): boolean {
    return ((target?.objectFlags ?? 0) & this.#ts.ObjectFlags.Tuple) !== 0;
  }

  parts({ types = [] }: ClassicType): readonly ClassicType[] {
    return types;
  }

  constraint(type: ClassicType): ClassicType | undefined {
    return this.#checker.getBaseConstraintOfType(type);
  }

  typeArguments(type: ClassicType): readonly ClassicType[] {
    const isReference = ((type.objectFlags ?? 0) & this.#ts.ObjectFlags.Reference) !== 0;
    return isReference ? this.#checker.getTypeArguments(type) : [];
  }

  symbol({ symbol, objectFlags = 0 }: ClassicType): SymbolInfo | undefined {
    if (symbol === undefined || symbol.name.startsWith('__')) return undefined;
    const { Class, Function: Fn, Method, Module } = this.#ts.SymbolFlags;
    const isAnonymous = (objectFlags & this.#ts.ObjectFlags.Anonymous) !== 0;
    if (isAnonymous && (symbol.flags & (Class | Fn | Method | Module)) !== 0) return undefined;
    return this.#symbolInfo(symbol);
  }

  alias({ aliasSymbol }: ClassicType): SymbolInfo | undefined {
    return aliasSymbol && this.#symbolInfo(aliasSymbol);
  }

  properties(type: ClassicType): readonly PropertyAccess<ClassicType>[] {
    return this.#checker.getPropertiesOfType(type).map((symbol) => ({
      // TypeScript escapes leading underscores by one more.
      name: String(symbol.escapedName ?? symbol.name),
      path: symbol.declarations?.[0]?.getSourceFile().fileName,
      isMethod: (symbol.flags & this.#ts.SymbolFlags.Method) !== 0,
      type: () => this.#checker.getTypeOfSymbol(symbol),
    }));
  }

  isCallable(type: ClassicType): boolean {
    return this.#checker.getSignaturesOfType(type, CALL_SIGNATURES).length > 0;
  }

  literal({ value, intrinsicName }: ClassicType): string | boolean | undefined {
    if (intrinsicName === 'true' || intrinsicName === 'false') return intrinsicName === 'true';
    return typeof value === 'string' ? value : undefined;
  }

  isDisposableOfPackage(type: ClassicType): boolean {
    for (const symbol of type.symbol?.parent?.exports?.values() ?? []) {
      if (!/^I?Disposable$/.test(symbol.name)) continue;
      const disposable = this.#checker.getDeclaredTypeOfSymbol(symbol);
      if (this.#checker.isTypeAssignableTo(type, disposable)) return true;
    }
    return false;
  }

  declaresBrands(path: string): boolean {
    return declaresBrands(moduleOf(path), () => this.#textOf(path));
  }

  #textOf(path: string): string {
    return this.#ts.sys?.readFile(path) ?? '';
  }
}
