import { KernelContext } from 'poundlock/sm100';

const { electOneCta, peerCta } = new KernelContext({ m: 2, n: 1, ctaGroup: 2 }, 1);
console.log(electOneCta, peerCta); // false 0