// The public interface of `poundlock/test`: certificates as assertions of a test runner.
/**
 * Certificates as assertions: `certify` fails a test of node:test, Vitest, Jest or any other runner
 * with the counterexample as its message.
 *
 * @module poundlock/test
 */
import '../own-folder.ts';
export { certify } from './certify.ts';
export type { CertifyOptions, LaunchOptions, ParameterGrid } from './options.ts';
