// Reads the rows of the table: `name | modifiers | operands | PTX version | target | status`.
//
// A heading `= effect: what it does` holds for the rows below it (effects/effects.ts has all
// effects). Lines that begin with a space continue a row; names with commas between share it. An
// operand `r32=bytes` has a role, by which others find it. A modifier is
// `.word@version!target?`: since which version and target, and `?` where it is not modeled. `(a,b)`
// takes one of them, `[a,b]` at most one, `[a b]` both or none, `$name` stands for a list below.
import type { Role } from './effect.ts';
import { isEffectName } from './effects/effects.ts';
import type { Form, Modifier, OperandKind, OperandSlot, Row, Slot, Status } from './form.ts';

/** Modifiers of one meaning that many forms take. */
const LISTS: Readonly<Record<string, string>> = {
  sc4: '.cta,.cluster@7.8!sm_90,.gpu,.sys',
  sc2: '.cta,.cluster!sm_90',
  ss: '.shared,.shared::cta@7.8',
  shd: '.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90',
  hint: '.L2::cache_hint@7.4!sm_80',
  pf: '.L2::64B@7.4!sm_75,.L2::128B@7.4!sm_75,.L2::256B@7.4!sm_80',
  ev1:
    '.L1::evict_normal@7.4,.L1::evict_unchanged@7.4,.L1::evict_first@7.4,.L1::evict_last@7.4,' +
    '.L1::no_allocate@7.4',
  ev2: '.L2::evict_normal@8.8!sm_100,.L2::evict_first@8.8!sm_100,.L2::evict_last@8.8!sm_100',
  lds:
    '.const,.global,.local,.param,.param::entry@8.3,.param::func@8.3,.shared,' +
    '.shared::cta@7.8,.shared::cluster@7.8!sm_90',
  sts: '.global,.local,.param,.param::func@8.3,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90',
  strong: '.global,.shared,.shared::cta@7.8,.shared::cluster@7.8!sm_90',
  mt: '.b8,.b16,.b32,.b64,.b128@8.3!sm_70,.u8,.u16,.u32,.u64,.s8,.s16,.s32,.s64,.f32,.f64',
  vec: '.v2,.v4,.v8@8.8!sm_100',
  int: '.u16,.u32,.u64,.s16,.s32,.s64',
  cmpi: '.eq,.ne,.lt,.le,.gt,.ge,.lo,.ls,.hi,.hs',
  cmpf: '.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan',
  bool: '.and,.or,.xor',
  rnd: '.rn,.rz,.rm,.rp',
  dim: '.1d,.2d,.3d,.4d,.5d',
  cg: '.cta_group::1,.cta_group::2',
  mc: '.multicast::cluster,.multicast::cluster::16b@9.4,.multicast::cluster::32b@9.4!sm_107f',
  rep:
    '.mbarrier::report::disabled@9.4!sm_107f,' +
    '.mbarrier::report::validity::per_16bytes::80000000@9.4!sm_107f?,' +
    '.mbarrier::report::validity::per_16bytes::8000@9.4!sm_107f?,' +
    '.mbarrier::report::validity::per_16bytes::80@9.4!sm_107f?,' +
    '.mbarrier::report::validity::per_16bytes::8@9.4!sm_107f?,' +
    '.mbarrier::report::validity::per_element::ff@9.4!sm_107f?',
  ovr: '.override::global_address@9.4!sm_107f?',
  oat: '.override::global_dim@9.4!sm_107f?,.override::global_dim_stride@9.4!sm_107f?',
  ckt: '.mbarrier::complete_tx::bytes',
  kf: '.kind::f16,.kind::tf32,.kind::f8f6f4',
  km: '.kind::mxf8f6f4,.kind::mxf4,.kind::mxf4nvf4',
  svec: '.scale_vec::1X,.scale_vec::2X,.scale_vec::4X,.block16@8.8,.block32@8.8',
  cola: '.collector::a::fill,.collector::a::use,.collector::a::lastuse,.collector::a::discard',
  colb:
    '.collector::b0::fill,.collector::b0::use,.collector::b0::lastuse,' +
    '.collector::b0::discard,.collector::b1::fill,.collector::b1::use,' +
    '.collector::b1::lastuse,.collector::b1::discard,.collector::b2::fill,' +
    '.collector::b2::use,.collector::b2::lastuse,.collector::b2::discard,' +
    '.collector::b3::fill,.collector::b3::use,.collector::b3::lastuse,' +
    '.collector::b3::discard',
  num: '.x1,.x2,.x4,.x8,.x16,.x32,.x64,.x128',
  wg8: wgmmaShapes(8),
  wg16: wgmmaShapes(16),
  wg32: wgmmaShapes(32),
  wg256: wgmmaShapes(256),
  geom: '.1d,.2d,.3d,.a1d,.a2d,.cube,.acube,.2dms,.a2dms',
};

/** `.m64n8k16` to `.m64n256k16`: the shapes of wgmma with a depth. */
function wgmmaShapes(depth: number): string {
  return Array.from({ length: 32 }, (_, index) => `.m64n${8 * (index + 1)}k${depth}`).join(',');
}

const TYPE = /^(?:pred|[busf]\d+(?:x\d+)?|bf16(?:x2)?|tf32|u?e\dm\d(?:x\d)?|s2f6x2|f(?:16|32)x2)$/;
const MODIFIER = /^\.([^@!?]+)(?:@([\d.]+))?(?:!([^?\s]+))?(\?)?$/;
const ROLES: ReadonlySet<string> = new Set<Role>([
  'result',
  'value',
  'to',
  'from',
  'map',
  'coordinates',
  'bytes',
  'count',
  'token',
  'members',
  'mbarrier',
  'multicast',
  'byteMask',
  'ignoredLeft',
  'ignoredRight',
  'policy',
]);
const STATUSES: ReadonlySet<string> = new Set<Status>(['modeled', 'harmless', 'unmodeled']);

/** The rows of a text, each with the name of its form; what they say is read when it is needed. */
export function rowsOf(text: string): [name: string, row: Row][] {
  const lines = text.trim().replaceAll(/\n\s+/g, ' ').split('\n');
  let heading = '';
  return lines.flatMap((line) => {
    if (line.startsWith('= ')) heading = line.slice(2);
    if (line.startsWith('= ')) return [];
    const [names = ''] = line.split('|', 1);
    const row: Row = { heading, line };
    return names.split(',').map((name): [string, Row] => [name.trim(), row]);
  });
}

/** The form that a row gives a name. */
export function formOf(name: string, { heading, line }: Row): Form {
  // An operand such as `wp|p` has no spaces around its bar.
  const cells = line.split(/ \|(?= |$)/).map((cell) => cell.trim());
  const [, modifiers = '', operands = '', version = '', target = '', status = ''] = cells;
  const [, effect = '', doc = ''] = /^([^:]*): (.*)$/.exec(heading) ?? [];
  if (cells.length !== 6 || !STATUSES.has(status) || !isEffectName(effect))
    throw new Error(`not a row of forms: = ${heading}: ${line}`);
  return {
    name,
    slots: modifiers === '*' ? null : slotsOf(modifiers),
    operands: operands === '*' ? null : operandsOf(operands),
    version,
    target,
    status: status as Status,
    effect,
    doc,
  };
}

function choicesOf(text: string): string[] {
  return text.split(',').flatMap((item) => {
    const [, name, suffix = ''] = /^\$(\w+)(.*)$/.exec(item.trim()) ?? [];
    if (name === undefined) return [item.trim()];
    const list = LISTS[name];
    if (list === undefined) throw new Error(`no list $${name}`);
    return choicesOf(list).map((choice) => choice + suffix);
  });
}

function slotOf(text: string, isOptional: boolean, group: number): Slot {
  const modifiers = new Map<string, Modifier>();
  for (const choice of choicesOf(text)) {
    const [, word, version = '', target = '', open] = MODIFIER.exec(choice) ?? [];
    if (word === undefined) throw new Error(`not a modifier: ${choice}`);
    modifiers.set(word, { version, target, isModeled: open === undefined });
  }
  const isType = [...modifiers.keys()].every((word) => TYPE.test(word));
  return { modifiers, isOptional, group, isType };
}

function slotsOf(text: string): Slot[] {
  const slots: Slot[] = [];
  let groups = 0;
  const read = (part: string, isOptional: boolean, group: number): void => {
    for (const [, optional, required, word] of part.matchAll(/\[([^[\]]*)\]|\(([^()]*)\)|(\S+)/g)) {
      if (optional === undefined) slots.push(slotOf(required ?? word!, isOptional, group));
      else if (/[(\s]/.test(optional.trim())) read(optional, true, ++groups);
      else slots.push(slotOf(optional, true, 0));
    }
  };
  read(text.replaceAll(/,\s+/g, ','), false, 0);
  return slots;
}

function operandsOf(text: string): OperandSlot[] {
  if (text === '') return [];
  return text.split(',').map((item) => {
    const [, kind = '', optional, condition = '', role] = /^([^?=]+)(\?)?([^=]*)(?:=(\w+))?$/.exec(
      item.trim(),
    )!;
    const words = condition === '' ? [] : choicesOf(condition);
    const modifiers = words.map((word) => word.replace(/^\./, '').replace(/[@!].*/, ''));
    if (role !== undefined && !ROLES.has(role)) throw new Error(`no role ${role}`);
    return {
      kind: kindOf(kind),
      isOptional: optional !== undefined,
      modifiers,
      role: (role ?? null) as Role | null,
    };
  });
}

/**
 * A kind of operand: `[a]` an address, `[t]` one in tensor memory, `i` a constant, `r32` a value of
 * 32 bits, `rf32` a float of 32 bits, `w64` a result, `rT` of the type of the opcode, `rT2` of its
 * second one, `rT*` or `rv` maybe a vector, `p` a predicate, `wp|p` one or two results, `_` none,
 * `x` anything.
 */
function kindOf(text: string): OperandKind {
  const [, letter = '', what = ''] = /^(\[|[rwpi_u]|.)(.*)$/.exec(text)!;
  const [, float = '', bits] = /^(f?)(\d+)/.exec(what) ?? [];
  const isRegister = letter === 'r' || letter === 'w';
  return {
    takes: TAKES[letter] ?? 'anything',
    bits: text === '[t]' ? 32 : isRegister && bits !== undefined ? Number(bits) : null,
    type: isRegister && what.startsWith('T') ? (what.startsWith('T2') ? 1 : 0) : null,
    isFloat: isRegister && float !== '',
    isPredicate: letter === 'p' || text.startsWith('wp'),
    mayBeVector: /^(?:[rw]v|v|[rw]T\*)$/.test(text),
    mayBePair: text.endsWith('|p'),
    mayBeNegated: text === 'p' || text === 'p!',
  };
}

const TAKES: Readonly<Record<string, OperandKind['takes']>> = {
  '[': 'address',
  r: 'value',
  w: 'result',
  p: 'value',
  i: 'immediate',
  v: 'value',
  _: 'sink',
  // `.unified` behind an address: no text has it.
  u: 'nothing',
};
