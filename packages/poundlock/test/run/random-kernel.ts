// The kernel that threads import to run a random program: its text travels as a parameter.
import { kernel } from '../../../core/src/program/index.ts';
import { toKernel, type DullProgram } from '@poundlock/fuzz/internal/order';

export default kernel('random', { program: '' }, ({ program }) => {
  return toKernel(JSON.parse(program) as DullProgram).build({});
});
