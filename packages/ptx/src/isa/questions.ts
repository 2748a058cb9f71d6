// What analyses ask of an instruction: total functions over its effect.
import type { Access, Control, Effect, Lanes, Mbarrier, Space } from './effect.ts';
import type { Operation } from './operation.ts';

/** What has an effect: an instruction. */
export interface HasEffect {
  readonly effect: Effect;
}

/** The access of lanes to memory of one device that an instruction is; `null`: it is none. */
export function accessOf({ effect }: HasEffect): Access | null {
  return effect.kind === 'access' && !effect.isMultimem ? effect : null;
}

/** An access of lanes that reads without writing. */
export function isLoad(instruction: HasEffect): boolean {
  return accessOf(instruction)?.op === 'load';
}

/** An access of lanes that writes without reading. */
export function isStore(instruction: HasEffect): boolean {
  return accessOf(instruction)?.op === 'store';
}

/** An access of lanes that reads and writes at once, with a result or without one. */
export function isAtomic(instruction: HasEffect): boolean {
  const op = accessOf(instruction)?.op;
  return op === 'atomic' || op === 'reduction';
}

/** An access of lanes whose result is what memory holds: a load, or an atomic with a result. */
export function readOf(instruction: HasEffect): Access | null {
  const access = accessOf(instruction);
  return access?.op === 'load' || access?.op === 'atomic' ? access : null;
}

/** Whether other threads may be taking part in an access: it has an order, or is volatile. */
export function isStrong(instruction: HasEffect): boolean {
  return accessOf(instruction)?.isStrong === true;
}

/** The state space of an access; `null`: it is none. */
export function accessSpace(instruction: HasEffect): Space | null {
  return accessOf(instruction)?.space ?? null;
}

/** How an instruction changes the flow of control; `null`: it does not. */
export function controlOf({ effect }: HasEffect): Control['op'] | null {
  return effect.kind === 'control' ? effect.op : null;
}

/** The computation on registers that an instruction is; `null`: it is none. */
export function operationOf({ effect }: HasEffect): Operation | null {
  return effect.kind === 'compute' ? effect.operation : null;
}

/** Whether it asks or waits for a phase of an mbarrier. */
export function isPhaseWait({ effect }: HasEffect): boolean {
  return effect.kind === 'mbarrier' && (effect.op === 'try' || effect.op === 'test');
}

/** Whether it arrives at an mbarrier or a named barrier, at once or as its work completes. */
export function arrives({ effect }: HasEffect): boolean {
  if (effect.kind === 'tcgen05') return effect.op === 'commit';
  if (effect.kind === 'barrier') return effect.of === 'cta';
  return effect.kind === 'mbarrier' && ARRIVES[effect.op];
}

const ARRIVES: Readonly<Record<Mbarrier['op'], boolean>> = {
  arrive: true,
  'arrive drop': true,
  'arrive on copies': true,
  init: false,
  inval: false,
  expect: false,
  complete: false,
  test: false,
  try: false,
  'pending count': false,
  'check layout': false,
};

const COMMUTATIVE = new Set<Operation>([
  'add',
  'addc',
  'mul',
  'mad',
  'fma',
  'min',
  'max',
  'and',
  'or',
  'xor',
]);

/** Whether the first two inputs may change places: `a + b` and `b + a` are the same. */
export function isCommutative(instruction: HasEffect): boolean {
  const operation = operationOf(instruction);
  return operation !== null && COMMUTATIVE.has(operation);
}

/** Whether it adds the carry flag. */
export function readsCarry(instruction: HasEffect): boolean {
  const operation = operationOf(instruction);
  return operation === 'addc' || operation === 'subc' || operation === 'madc';
}

/** Whether it leaves a carry flag. */
export function writesCarry({ effect }: HasEffect): boolean {
  return effect.kind === 'compute' && effect.modifiers.has('cc');
}

/** Whether it reads or leaves a carry flag. */
export function usesCarry(instruction: HasEffect): boolean {
  return readsCarry(instruction) || writesCarry(instruction);
}

/** Whether lanes of a warp take part in it together, those that it names. */
export function isExchange({ effect }: HasEffect): boolean {
  return effect.kind === 'lanes' && effect.op !== 'active mask';
}

/** Whether lanes have results of their own, one in common, or what follows from their inputs. */
export function variationOf({ effect }: HasEffect): 'by lane' | 'none' | 'by input' {
  switch (effect.kind) {
    case 'access': {
      const mayDiffer = effect.isStrong || effect.space === 'local';
      return mayDiffer && !effect.isMultimem ? 'by lane' : 'by input';
    }
    case 'matrix':
    case 'warp matrix':
    case 'wgmma':
    case 'tcgen05':
    case 'opaque':
      return 'by lane';
    case 'lanes':
      return VARIATIONS[effect.op];
    case 'copy':
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'fence':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'compute':
    case 'hint':
      return 'by input';
  }
}

const VARIATIONS: Readonly<Record<Lanes['op'], ReturnType<typeof variationOf>>> = {
  shuffle: 'by input',
  vote: 'none',
  match: 'by lane',
  reduce: 'none',
  elect: 'by lane',
  'active mask': 'none',
  join: 'by input',
};

/** Whether an operand of it may be an address in global memory, or that of a tensor map. */
export function mayAccessGlobal({ effect }: HasEffect): boolean {
  switch (effect.kind) {
    case 'access':
      return effect.op !== 'discard' && (effect.space === 'generic' || effect.space === 'global');
    case 'warp matrix':
      return effect.space === 'generic' || effect.space === 'global';
    case 'copy':
      return !effect.isMultimem && effect.from !== 'registers';
    case 'matrix':
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'fence':
    case 'wgmma':
    case 'tcgen05':
    case 'lanes':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return false;
  }
}

/** Whether threads signal one another with its results, or these cannot be followed. */
export function isSignal({ effect }: HasEffect): boolean {
  switch (effect.kind) {
    case 'access':
      return effect.isStrong && !effect.isMultimem;
    case 'mbarrier':
    case 'barrier':
    case 'tcgen05':
    case 'launch control':
    case 'opaque':
      return true;
    case 'matrix':
    case 'warp matrix':
    case 'copy':
    case 'prefetch':
    case 'group':
    case 'fence':
    case 'wgmma':
    case 'lanes':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'control':
    case 'compute':
    case 'hint':
      return false;
  }
}

/** Whether threads of its block alone can observe it, if it accesses their memory. */
export function isOfBlock({ effect }: HasEffect): boolean {
  switch (effect.kind) {
    case 'access':
      if (effect.isMultimem || isAtomic({ effect })) return false;
      // A round that takes a lock ends with a strong store, which frees it.
      return effect.op !== 'store' || effect.space !== 'global' || effect.isStrong;
    case 'matrix':
      return effect.op === 'transpose';
    case 'warp matrix':
      return !effect.isWmma;
    case 'barrier':
      return effect.of === 'cta';
    case 'copy':
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'wgmma':
    case 'tcgen05':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
      return false;
    case 'fence':
    case 'lanes':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return true;
  }
}

/** The access to global memory by addresses of one device; `null`: it is none. */
export function globalAccessOf({ effect }: HasEffect): Access | null {
  if (effect.kind !== 'access' || effect.isMultimem || effect.op === 'discard') return null;
  return effect.space === 'global' || effect.space === 'generic' ? effect : null;
}

/** Whether it accesses the memory of several devices by one address. */
export function isMultimem({ effect }: HasEffect): boolean {
  return (effect.kind === 'access' || effect.kind === 'copy') && effect.isMultimem;
}

/** Whether lanes exchange values by it. */
export function exchangesValues({ effect }: HasEffect): boolean {
  return effect.kind === 'lanes' && effect.op !== 'join' && effect.op !== 'active mask';
}

/** Whether its result is data that it reads from memory. */
export function readsMemory({ effect }: HasEffect): boolean {
  switch (effect.kind) {
    case 'access':
      return effect.op === 'load' || effect.op === 'atomic';
    case 'matrix':
    case 'warp matrix':
      return effect.op === 'load';
    case 'tcgen05':
    case 'opaque':
      return true;
    case 'copy':
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'fence':
    case 'wgmma':
    case 'lanes':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'launch control':
    case 'control':
    case 'compute':
    case 'hint':
      return false;
  }
}

/** Whether it synchronizes, or is part of asynchronous work. */
export function synchronizes({ effect }: HasEffect): boolean {
  switch (effect.kind) {
    case 'copy':
      return effect.op !== 'store' && effect.op !== 'zeros' && !effect.isMultimem;
    case 'lanes':
      return effect.op === 'join';
    case 'prefetch':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'fence':
    case 'wgmma':
    case 'tcgen05':
    case 'launch control':
      return true;
    case 'access':
    case 'matrix':
    case 'warp matrix':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'control':
    case 'compute':
    case 'opaque':
    case 'hint':
      return false;
  }
}

/** Whether others can observe that a warp has executed it: in memory, or by what it signals. */
export function mayBeObserved({ effect }: HasEffect): boolean {
  switch (effect.kind) {
    case 'access':
      return effect.op !== 'load';
    case 'matrix':
    case 'warp matrix':
      return effect.op === 'store';
    case 'copy':
    case 'group':
    case 'mbarrier':
    case 'barrier':
    case 'wgmma':
    case 'tcgen05':
    case 'grid':
    case 'registers':
    case 'tensor map':
    case 'opaque':
      return true;
    case 'launch control':
      return effect.op === 'try cancel';
    case 'prefetch':
    case 'fence':
    case 'lanes':
    case 'control':
    case 'compute':
    case 'hint':
      return false;
  }
}
