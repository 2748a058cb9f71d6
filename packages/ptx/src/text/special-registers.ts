// The special registers of PTX: what a name with a percent sign is that no `.reg` declares.

/** Those with components `.x`, `.y`, `.z` and `.w`. */
const VECTORS = new Set(
  'tid ntid ctaid nctaid clusterid nclusterid cluster_ctaid cluster_nctaid'.split(' '),
);
const SCALARS = new Set(
  [
    'laneid warpid nwarpid smid nsmid gridid is_explicit_cluster cluster_ctarank cluster_nctarank',
    'lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt clock clock_hi clock64',
    'globaltimer globaltimer_lo globaltimer_hi reserved_smem_offset_begin total_smem_size',
    'reserved_smem_offset_end reserved_smem_offset_cap aggr_smem_size dynamic_smem_size',
    'current_graph_exec locality_domain_id',
  ]
    .join(' ')
    .split(' '),
);
/** Those with a number: performance counters, the environment, reserved shared memory. */
const NUMBERED = /^(?:pm[0-7](?:_64)?|envreg(?:\d|[12]\d|3[01])|reserved_smem_offset_[01])$/;

/** Whether a name with its percent sign is a special register, or a component of one. */
export function isSpecialRegister(name: string): boolean {
  const [register = '', component, ...more] = name.slice(1).split('.');
  if (more.length > 0) return false;
  if (component !== undefined) return VECTORS.has(register) && /^[xyzw]$/.test(component);
  return VECTORS.has(register) || SCALARS.has(register) || NUMBERED.test(register);
}
