// The public interface of `@poundlock/core/dialect`: what a library of pipelines is written with.
/**
 * Rings, endpoints and handles for libraries that have pipelines of their own, such as
 * `poundlock/sm100` and `poundlock/cute`, which use nothing else of this package but its main
 * interface. Examples are those of a kernel, with these declarations:
 *
 * ```ts
 * const bar = barrier('bar');
 * const tile = buffer('tile');
 * const Slot = class extends Stage {
 *   override get linear(): true {
 *     return true;
 *   }
 *   release(): void {
 *     this.leave(true);
 *   }
 *   override drop(): void {
 *     this.release();
 *   }
 * };
 * const ring = declareRing('ring', { stages: 2 }, (...of) => new Slot(...of));
 * const producer = new Endpoint(ring, Side.produce);
 * const consumer = new Endpoint(ring, Side.consume);
 * const fill = producer.acquire(Slot, 'fill()');
 * const empty = consumer.acquire(Slot, 'empty()');
 * ```
 *
 * @module @poundlock/core/dialect
 */
export { closed, closeMembers, currentPosition, option, optionTable } from './base/index.ts';
export { registerOwnFolder, requireOptions, requireWord, uselessOption } from './base/index.ts';
export type { OptionsOf, OptionTable, OptionValue } from './base/index.ts';
export { Endpoint } from './pipeline/endpoint.ts';
export { declareRing, forkRing, ringOver } from './pipeline/ring.ts';
export type { Part, RingDeclaration } from './pipeline/ring.ts';
export { Stage } from './pipeline/stage.ts';
export { postWait } from './program/barrier-operations.ts';
export { callingRole } from './program/context.ts';
export { claimName, requireCount } from './program/declarations.ts';
export { created } from './program/operation.ts';
export { trackGenerators } from './program/tracked-generators.ts';
