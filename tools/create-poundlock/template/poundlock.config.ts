// What `poundlock check` checks where it is given no file.
import type { ProjectConfig } from 'poundlock/check';

export default {
  check: {
    kernels: [{ files: 'kernels/*.ts' }],
  },
} satisfies ProjectConfig;
