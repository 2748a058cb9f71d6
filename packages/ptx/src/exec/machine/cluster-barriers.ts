// The barriers of clusters, at which all warps of a cluster meet.

/** Counts arrivals and rounds at the barrier of each cluster. */
export class ClusterBarriers {
  readonly #warps: number;
  readonly #arrivals: number[] = [];
  readonly #rounds: number[] = [];

  /** @param warps Warps of a cluster. */
  constructor(warps: number) {
    this.#warps = warps;
  }

  /** A warp arrives at the barrier of its cluster. */
  arrive(cluster: number): void {
    const arrivals = (this.#arrivals[cluster] ?? 0) + 1;
    this.#arrivals[cluster] = arrivals % this.#warps;
    if (arrivals === this.#warps) this.#rounds[cluster] = this.rounds(cluster) + 1;
  }

  /** How often all warps of a cluster have met. */
  rounds(cluster: number): number {
    return this.#rounds[cluster] ?? 0;
  }

  /** Arrivals of rounds that are open, as a text that equal states have in common. */
  get text(): string {
    return this.#arrivals.join();
  }
}
