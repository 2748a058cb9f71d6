// A kernel as built: hints about it are in the words of PTX.
import { kernel } from '@poundlock/core/internal/program';

/** A kernel whose roles were made from PTX. */
export const builtKernel: typeof kernel = (name, defaults, build, options) => {
  return { ...kernel(name, defaults, build, options), dialect: 'ptx' };
};
