// Litmus programs: tensor maps that are rewritten (V01–V03).
import { W, agent, arr, fence, gwait, load, store, wait, type LitmusRow } from './words.ts';

export const TENSOR_MAPS: readonly LitmusRow[] = [
  {
    id: 'M1',
    text: 'W map; TMA load by it',
    want: 'unfenced-tensormap',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {} },
    agents: [agent('t', W('q'), ...load('s', 'b', { map: 'q' }), wait('b'))],
  },
  {
    id: 'M2',
    text: 'W map; release; acquire; TMA load',
    want: 'ok',
    why: 'CUTLASS, DeepGEMM',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {} },
    agents: [
      agent(
        't',
        W('q'),
        fence('tmrel'),
        fence('tmacq', { l: 'q' }),
        ...load('s', 'b', { map: 'q' }),
        wait('b'),
      ),
    ],
  },
  {
    id: 'M3',
    text: 'W map; acquire only',
    want: 'unfenced-tensormap',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {} },
    agents: [
      agent('t', W('q'), fence('tmacq', { l: 'q' }), ...load('s', 'b', { map: 'q' }), wait('b')),
    ],
  },
  {
    id: 'M4',
    text: 'a load by the map is under way, W map',
    want: 'tensormap-in-flight',
    why: 'DeepGEMM 343, triton 7293',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {}, c: {} },
    agents: [
      agent(
        't',
        ...load('s', 'b', { map: 'q' }),
        W('q'),
        fence('tmrel'),
        fence('tmacq', { l: 'q' }),
      ),
    ],
  },
  {
    id: 'M5',
    text: "the load's barrier is waited for first",
    want: 'ok',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {}, c: {} },
    agents: [
      agent(
        't',
        ...load('s', 'b', { map: 'q' }),
        wait('b'),
        W('q'),
        fence('tmrel'),
        fence('tmacq', { l: 'q' }),
      ),
    ],
  },
  {
    id: 'M6',
    text: 'another warp writes and releases, the loader acquires',
    want: 'ok',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {}, c: {} },
    agents: [
      agent('w', W('q'), fence('tmrel'), arr('c')),
      agent('t', wait('c'), fence('tmacq', { l: 'q' }), ...load('s', 'b', { map: 'q' }), wait('b')),
    ],
  },
  {
    id: 'M7',
    text: 'a store by the map has read, W map',
    want: 'ok',
    why: 'wait_group.read waits for reads of the map, too; CUTLASS',
    mem: { s: {}, g: { space: 'gl' }, q: { space: 'map' } },
    agents: [agent('t', store('s', { map: 'q' }), gwait(0, { read: true }), W('q'))],
  },
  {
    id: 'M8',
    text: 'a store by the map reads, W map',
    want: 'tensormap-in-flight',
    mem: { s: {}, g: { space: 'gl' }, q: { space: 'map' } },
    agents: [agent('t', store('s', { map: 'q' }), W('q'), gwait(0))],
  },
  {
    id: 'M9',
    text: 'another warp of the CTA acquires, the loader waits for it',
    want: 'ok',
    isa: 'unfenced-tensormap',
    why: 'Triton: descriptors that a kernel makes',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {}, c: {} },
    agents: [
      agent('w', W('q'), fence('tmrel'), fence('tmacq', { l: 'q' }), arr('c')),
      agent('t', wait('c'), ...load('s', 'b', { map: 'q' }), wait('b')),
    ],
  },
  {
    id: 'M10',
    text: 'another warp of the CTA releases, and no thread acquires',
    want: 'unfenced-tensormap',
    mem: { s: {}, q: { space: 'map' } },
    bars: { b: {}, c: {} },
    agents: [
      agent('w', W('q'), fence('tmrel'), arr('c')),
      agent('t', wait('c'), ...load('s', 'b', { map: 'q' }), wait('b')),
    ],
  },
];
