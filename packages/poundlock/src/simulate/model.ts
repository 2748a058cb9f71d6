// GPU cost models: named parameters with their units and sources.

/** The numbers of a GPU model. The names end with the units. */
export interface Costs {
  /** From the start of a kernel to the first operation of its roles. */
  readonly launchCycles: number;
  /** From reaching a wait to its first poll. */
  readonly waitCycles: number;
  /** From the poll that sees the completed phase to the next instruction. */
  readonly wakeCycles: number;
  /** After each burst of polls. */
  readonly pollPauseCycles: number;
  /** Between polls of one burst. */
  readonly pollIntervalCycles: number;
  /** Polls of one burst. */
  readonly pollsPerBurst: number;
  /** Duration of an arrive: until it is visible and the role continues. */
  readonly arriveCycles: number;
  /** Duration of an arrive that expects bytes, including the address arithmetic of its copy. */
  readonly expectCycles: number;
  /** Time that a role spends on issuing a copy. */
  readonly copyIssueCycles: number;
  /** A timed wait (`compute`) reads the clock at this interval … */
  readonly spinStepCycles: number;
  /** … and takes this much longer. */
  readonly spinOverheadCycles: number;
  /** Duration of any other operation. */
  readonly issueCycles: number;
  /** Bandwidth of the copies into one CTA. */
  readonly linkBytesPerCycle: number;
  /** From issuing a copy to its first byte on an idle memory. */
  readonly l2LatencyCycles: number;
  /** The same for data in HBM. */
  readonly hbmLatencyCycles: number;
  /** Spread of the latencies of the lines of a copy, which completes with its last line. */
  readonly hbmSpreadCycles: number;
  /** Total bandwidth of all CTAs. */
  readonly l2BytesPerCycle: number;
  /** The same for HBM. */
  readonly hbmBytesPerCycle: number;
  /** Queueing behind other CTAs, by the load ρ of the memory: q·ρ / (1 − κρ). */
  readonly l2QueueCycles: number;
  /** The same for HBM. */
  readonly hbmQueueCycles: number;
  /** The factor κ of the queueing formula. */
  readonly queueSteepness: number;
  /** The time constant of the average of the load. */
  readonly loadCycles: number;
  /** How far a CTA may exceed its share of the memory bandwidth in a burst. */
  readonly burstCycles: number;
  /** Dirty cache bytes that are written back before reads get the full bandwidth. */
  readonly dirtyBytes: number;
  /** Tiled copies (several for each stage, of separate rows) have other latencies and bandwidth. */
  readonly tiledL2LatencyCycles: number;
  /** The same for data in HBM. */
  readonly tiledHbmLatencyCycles: number;
  /** Factor on the variation of the latency of a tiled copy from HBM. */
  readonly tiledSpreadFactor: number;
  /** By how much more of the memory a tiled copy takes. */
  readonly tiledBandwidthFactor: number;
  /** Time that a role spends on issuing one tensor-core instruction. */
  readonly mmaIssueCycles: number;
  /** The most instructions of one role in the tensor core's queue. */
  readonly mmaQueueDepth: number;
  /** From the issue of an instruction to its start on an idle tensor core. */
  readonly mmaStartCycles: number;
  /** From the end of the work to the next instruction of the waiting role. */
  readonly mmaDrainCycles: number;
  /** Time of an instruction beyond its work. */
  readonly mmaOverheadCycles: number;
  /** The work of an instruction that specifies none. */
  readonly mmaDefaultCycles: number;
}

/** A number of a GPU model with its origin. */
export interface GpuModelParameter {
  /** The number. */
  readonly value: number;
  /** Its unit. */
  readonly unit: string;
  /** Where it comes from: a measurement or a document. */
  readonly source: string;
}

/** The model of a GPU: what operations cost, and where each number comes from. */
export interface GpuModel {
  /** Its name on the command line. */
  readonly name: string;
  /** Its name in reports. */
  readonly title: string;
  /** A warning that every output shows if the numbers are not measured; else `null`. */
  readonly caveat: string | null;
  /** The clock frequency; 0 where cycles have no duration. */
  readonly clockMegahertz: number;
  /** The numbers. */
  readonly parameters: Readonly<Record<keyof Costs, GpuModelParameter>>;
}

/** The values of a model's parameters. */
export function costsOf(model: GpuModel): Costs {
  const entries = Object.entries(model.parameters).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(entries) as Record<keyof Costs, number>;
}
