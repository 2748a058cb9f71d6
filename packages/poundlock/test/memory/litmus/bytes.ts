// Litmus programs: buffers that have bytes in common (B01).
import { W, agent, commit, load, mma, tld, tst, twait, wait, type LitmusRow } from './words.ts';

export const BYTES: readonly LitmusRow[] = [
  {
    id: 'B1',
    text: 'V at 0..128, O at 0..64: mma reads V; O is written',
    want: 'aliased-buffers',
    why: 'FA 2229, sglang 37287',
    mem: { V: { at: 0, bytes: 128 }, O: { at: 0, bytes: 64 }, d: { space: 'tm' } },
    bars: { b: {} },
    agents: [agent('m', mma(['V'], ['d']), commit('b')), agent('e', W('O'))],
  },
  {
    id: 'B2',
    text: "the same after the commit's barrier",
    want: 'ok',
    mem: { V: { at: 0, bytes: 128 }, O: { at: 0, bytes: 64 }, d: { space: 'tm' } },
    bars: { b: {} },
    agents: [agent('m', mma(['V'], ['d']), commit('b')), agent('e', wait('b'), W('O'))],
  },
  {
    id: 'B3',
    text: 'V at 0..128, O at 128..192',
    want: 'ok',
    why: 'they only touch',
    mem: { V: { at: 0, bytes: 128 }, O: { at: 128, bytes: 64 }, d: { space: 'tm' } },
    agents: [agent('m', mma(['V'], ['d'])), agent('e', W('O'))],
  },
  {
    id: 'B4',
    text: 'P stored over columns of S that another warp still loads',
    want: 'aliased-buffers',
    why: 'cudnn-frontend 985',
    mem: { S: { at: 0, bytes: 128, space: 'tm' }, P: { at: 0, bytes: 64, space: 'tm' } },
    agents: [agent('a', tld('S'), twait('ld')), agent('e', tst('P'), twait('st'))],
  },
  {
    id: 'B5',
    text: 'O written over V, TMA store of O, then TMA load of V',
    want: 'missing-proxy-fence',
    why: 'aliases share proxies, too',
    mem: { V: { at: 0, bytes: 128 }, O: { at: 0, bytes: 64 }, g: { space: 'gl' } },
    bars: { b: {} },
    agents: [agent('e', W('O'), ...load('V', 'b'), wait('b'))],
  },
];
