import { clusterOf } from 'poundlock/sm100';

console.log(clusterOf({ m: 2, n: 2, ctaGroup: 2 }).length); // 4