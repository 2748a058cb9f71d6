// A cluster of CTAs: the leaders of pairs, multicast masks, and the targets of commits.
import { InputError } from '@poundlock/core';
import type { CtaGroup } from '@poundlock/core';
import {
  callingRole,
  currentPosition,
  option,
  optionTable,
  closeMembers,
} from '@poundlock/core/dialect';
import { requireCount, requireOptions, type OptionsOf } from '@poundlock/core/dialect';

const CLUSTER = optionTable({
  /** CTAs along M. */
  m: option.checkedLater<number>(),
  /** CTAs along N. */
  n: option.checkedLater<number>(),
  /** 2 if neighbors along M multiply as a pair. */
  ctaGroup: option.oneNumberOf<CtaGroup>(1, 2),
});

/** The CTAs of a cluster along M and N; the CTA at (m, n) has rank m + n · M. */
export interface ClusterShape extends OptionsOf<typeof CLUSTER, 'm' | 'n' | 'ctaGroup'> {}

/**
 * The position of a CTA in its cluster: `KernelContext` of the structured kernels.
 *
 * @example
 * import { KernelContext } from 'poundlock/sm100';
 *
 * const { electOneCta, peerCta } = new KernelContext({ m: 2, n: 1, ctaGroup: 2 }, 1);
 * console.log(electOneCta, peerCta); // false 0
 */
export class KernelContext {
  /** The shape of the cluster. */
  readonly shape: ClusterShape;
  /** The CTA, whose rank in its cluster it is. */
  readonly cta: number;
  /** Whether this CTA issues the MMAs: the even one of a pair, or every one. */
  readonly electOneCta: boolean;
  /** Whether it is CTA 0. */
  readonly isFirstCtaInCluster: boolean;
  /** Its position: inside the pair, then the pair's along M, then along N. */
  readonly peerCtaCoord: readonly [inPair: number, m: number, n: number];
  /** The CTAs that a slice of its A tile is copied to: those of its row. */
  readonly aMulticastMask: readonly number[];
  /** The CTAs that a slice of its B tile is copied to: its half of the pairs of its column. */
  readonly bMulticastMask: readonly number[];
  /** The CTAs whose epilogue reads what this pair, or CTA, multiplies. */
  readonly mmaCompleteMask: readonly number[];
  /** The CTAs that copy into what this pair, or CTA, multiplies: its commit frees their stages. */
  readonly inputMask: readonly number[];

  /** Creates the context of CTA `cta`. */
  constructor(shape: ClusterShape, cta: number) {
    requireOptions('KernelContext', CLUSTER, shape);
    const { m, n, ctaGroup } = shape;
    this.shape = shape;
    this.cta = cta;
    const [row, column] = [cta % m, Math.floor(cta / m)];
    const leader = leaderOf(cta, ctaGroup);
    this.electOneCta = cta === leader;
    this.isFirstCtaInCluster = cta === 0;
    this.peerCtaCoord = [row % ctaGroup, Math.floor(row / ctaGroup), column];
    const ranks = Array.from({ length: m * n }, (_, rank) => rank);
    this.aMulticastMask = ranks.filter((rank) => rank % m === row);
    this.bMulticastMask = ranks.filter(
      (rank) => Math.floor(rank / m) === column && (rank % m) % ctaGroup === row % ctaGroup,
    );
    this.mmaCompleteMask = ranks.filter((rank) => leaderOf(rank, ctaGroup) === leader);
    const pairRow = Math.floor(row / ctaGroup);
    this.inputMask = ranks.filter(
      (rank) => Math.floor(rank / m) === column || Math.floor((rank % m) / ctaGroup) === pairRow,
    );
  }

  /** The other CTA of its pair. */
  get peerCta(): number {
    return this.cta ^ 1;
  }

  /** Arrivals that free an input stage: one commit of every pair that reads what it copies. */
  get inputConsumers(): number {
    return this.shape.m / this.shape.ctaGroup + this.shape.n - 1;
  }

  /** The slices of an A tile, and of a B tile: one for each CTA that copies one. */
  get slices(): { readonly a: number; readonly b: number } {
    return { a: this.shape.n, b: this.shape.m / this.shape.ctaGroup };
  }
}
closeMembers(KernelContext.prototype);

/**
 * The CTA with the barriers of a pair: the even one.
 *
 * @example
 * import { leaderOf } from 'poundlock/sm100';
 *
 * console.log(leaderOf(3, 2)); // 2
 */
export function leaderOf(cta: number, ctaGroup: CtaGroup): number {
  if (ctaGroup !== 1 && ctaGroup !== 2) requireCount('a ctaGroup', ctaGroup, 1, 2);
  return cta - (cta % ctaGroup);
}

/** The CTA of the running role's pair that has the barriers, as `umma_arrive_leader_cta` means. */
export function leaderOfRole(ctaGroup: CtaGroup): number {
  return leaderOf(callingRole('an arrival at the leader').cta, ctaGroup);
}

/**
 * The contexts of all CTAs of a cluster.
 *
 * @throws InputError for a pair that does not fit the shape.
 *
 * @example
 * import { clusterOf } from 'poundlock/sm100';
 *
 * console.log(clusterOf({ m: 2, n: 2, ctaGroup: 2 }).length); // 4
 */
export function clusterOf(shape: ClusterShape): readonly KernelContext[] {
  requireOptions('clusterOf()', CLUSTER, shape);
  requireCount('the CTAs of a cluster along M', shape.m, 1);
  requireCount('the CTAs of a cluster along N', shape.n, 1);
  if ((shape.ctaGroup !== 1 && shape.ctaGroup !== 2) || shape.m % shape.ctaGroup !== 0) {
    throw new InputError(
      `a ctaGroup of ${shape.ctaGroup} does not fit ${shape.m} CTAs along M`,
      currentPosition(),
    );
  }
  return Array.from({ length: shape.m * shape.n }, (_, cta) => new KernelContext(shape, cta));
}
