// A machine model: named numbers with units, and where each comes from.

/** The numbers of a GPU model. The names end with the units. */
export interface Costs {
  /** From the start of a kernel to the first operation of its roles. */
  readonly launchCycles: number;
  /** From coming to a wait to its first poll. */
  readonly waitCycles: number;
  /** From the poll that sees the phase completed to the next instruction. */
  readonly wakeCycles: number;
  /** After each burst of polls. */
  readonly pollPauseCycles: number;
  /** Between polls of one burst. */
  readonly pollIntervalCycles: number;
  /** Polls of one burst. */
  readonly pollsPerBurst: number;
  /** What an arrive takes: others see it, and the role goes on. */
  readonly arriveCycles: number;
  /** What an arrive that expects bytes takes, with the address arithmetic of its copy. */
  readonly expectCycles: number;
  /** What issuing a copy takes of the role's time. */
  readonly copyIssueCycles: number;
  /** A timed wait (`compute`) looks at the clock so often … */
  readonly spinStepCycles: number;
  /** … and takes so much longer. */
  readonly spinOverheadCycles: number;
  /** What any other operation takes. */
  readonly issueCycles: number;
  /** How fast one CTA takes in copied bytes. */
  readonly linkBytesPerCycle: number;
  /** From issuing a copy to its first byte, when nobody else copies. */
  readonly l2LatencyCycles: number;
  /** The same for data in HBM. */
  readonly hbmLatencyCycles: number;
  /** How far the latencies of the lines of a copy spread: the last one ends it. */
  readonly hbmSpreadCycles: number;
  /** What all CTAs together get. */
  readonly l2BytesPerCycle: number;
  /** The same for HBM. */
  readonly hbmBytesPerCycle: number;
  /** Queueing behind other CTAs, by the load ρ of the memory: q·ρ / (1 − κρ). */
  readonly l2QueueCycles: number;
  /** The same for HBM. */
  readonly hbmQueueCycles: number;
  /** The factor κ of the queueing formula. */
  readonly queueSteepness: number;
  /** Over how long the load is averaged. */
  readonly loadCycles: number;
  /** How far a CTA may be ahead of its share of the memory. */
  readonly burstCycles: number;
  /** What the CTAs have to write back of the cache before their reads are all that is moved. */
  readonly dirtyBytes: number;
  /** Tiled copies (several a stage, rows apart): other latencies, and more of the memory. */
  readonly tiledL2LatencyCycles: number;
  /** The same for data in HBM. */
  readonly tiledHbmLatencyCycles: number;
  /** By how much more the latency of a tiled copy from HBM varies. */
  readonly tiledSpreadFactor: number;
  /** By how much more of the memory a tiled copy takes. */
  readonly tiledBandwidthFactor: number;
  /** What issuing one tensor-core instruction takes of the role's time. */
  readonly mmaIssueCycles: number;
  /** How many of its instructions a role may have in the tensor core's queue. */
  readonly mmaQueueDepth: number;
  /** From its issue to its start in an idle tensor core. */
  readonly mmaStartCycles: number;
  /** From the end of the work to the next instruction of the role that waits for it. */
  readonly mmaDrainCycles: number;
  /** What an instruction takes longer than its work. */
  readonly mmaOverheadCycles: number;
  /** The work of an instruction that names none. */
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

/** The numbers of a model alone. */
export function costsOf(model: GpuModel): Costs {
  const entries = Object.entries(model.parameters).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(entries) as Record<keyof Costs, number>;
}
