// The brands by which a type states ownership to `poundlock lint`: types only, nothing at run time.
/**
 * Types for values that must be released exactly once.
 *
 * @module @poundlock/linear
 */
declare const obligation: unique symbol;
declare const owner: unique symbol;

/**
 * A `T` that must be released exactly once, by one of its methods `M`. A plain `T` is assignable to
 * it without a cast.
 *
 * @example
 * import type { Linear } from '@poundlock/linear';
 *
 * interface Connection { query(sql: string): unknown; close(): void }
 * export type OpenConnection = Linear<Connection, 'close'>;
 */
export type Linear<T, M extends keyof T> = T & { readonly [obligation]?: M };

/**
 * As a parameter: the function takes ownership. As a result or a field: the holder owns it.
 *
 * @example
 * import type { Owned } from '@poundlock/linear';
 *
 * export declare function retire(connection: Owned<{ close(): void }>): void;
 */
export type Owned<T> = T & { readonly [owner]?: 'owned' };

/**
 * As a parameter, a result or a field: another owner releases it.
 *
 * @example
 * import type { Borrowed } from '@poundlock/linear';
 *
 * export declare function current(): Borrowed<{ close(): void }>;
 */
export type Borrowed<T> = T & { readonly [owner]?: 'borrowed' };
