import { leaderOf } from 'poundlock/sm100';

console.log(leaderOf(3, 2)); // 2