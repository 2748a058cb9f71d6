// How many SMs load the memory beside the simulated one, and how many of them its group has.
import type { Costs } from './model.ts';

/** With 33 to 66 CTAs, the group of the median one has so many times the CTAs of the mean one. */
const UNEVENNESS = 1.2;

/** SMs that share the memory, counted as so many that are as full as the simulated one. */
export interface Sharing {
  /** In all. */
  readonly sms: number;
  /** On the pipe of its group. */
  readonly inGroup: number;
}

/** The same, with what they ask the memory for of each byte that they copy. */
export interface ReadSharing extends Sharing {
  readonly requested: number;
}

/**
 * CTAs of a launch that begins: they are dealt to the SMs one by one. A launch that leaves SMs free
 * has one CTA on each pair of SMs, group after group.
 */
export function dealt(ctas: number, ctasPerSm: number, costs: Costs): Sharing {
  const { multiprocessors, groups } = costs;
  const sms = ctas / ctasPerSm;
  if (ctas >= multiprocessors) return { sms, inGroup: sms / groups };
  const pairs = (multiprocessors / groups / 2) * UNEVENNESS;
  return { sms, inGroup: Math.max(Math.min(sms, pairs), sms / groups) };
}

/**
 * CTAs of the tail: they begin where others have ended, and those of one SM, and of one group, end
 * at about the same time. So they fill SMs, and groups.
 */
export function packed(ctas: number, ctasPerSm: number, costs: Costs): Sharing {
  const { multiprocessors, groups } = costs;
  const sms = ctas / ctasPerSm;
  return { sms, inGroup: Math.min(sms, multiprocessors / groups) };
}
