// Litmus programs: registers of work that is in flight (G04).
import { R, W, agent, wg, wgwait, type LitmusRow } from './words.ts';

export const IN_FLIGHT: readonly LitmusRow[] = [
  {
    id: 'R1',
    text: 'wgmma into registers; they are read before wait_group',
    want: 'register-in-flight',
    why: 'Fuser 3561',
    mem: { s: {}, r: { space: 'reg' } },
    agents: [agent('w', wg(['s'], ['r']), R('r'), wgwait())],
  },
  {
    id: 'R2',
    text: 'read after wait_group',
    want: 'ok',
    mem: { s: {}, r: { space: 'reg' } },
    agents: [agent('w', wg(['s'], ['r']), wgwait(), R('r'))],
  },
  {
    id: 'R3',
    text: 'A fragment overwritten while wgmma reads it',
    want: 'register-in-flight',
    why: 'DeepGEMM 448',
    mem: { s: {}, r: { space: 'reg' } },
    agents: [agent('w', wg(['r']), W('r'), wgwait())],
  },
];
