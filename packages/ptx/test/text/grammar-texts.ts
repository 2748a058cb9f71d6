// PTX texts that ptxas of CUDA 13.0 takes, and such that it refuses.
const HEAD = '.version 9.0\n.target sm_90a\n.address_size 64\n';
const REGISTERS =
  '.reg .b64 d<4>; .reg .b32 r<8>; .reg .pred q<4>; .reg .f32 f<4>; .shared .align 8 .b8 sm[64];';

const kernel = (body: string, outside = '', head = HEAD, parameters = '.param .u64 p'): string =>
  `${head}${outside}\n.visible .entry k(${parameters})\n{\n${REGISTERS}\n${body}\nret;\n}\n`;

/** Texts by what is special in them. */
export type Texts = readonly (readonly [what: string, text: string])[];

const lines = (...list: readonly string[]): Texts => list.map((line) => [line, kernel(line)]);
const modules = (...list: readonly (readonly [outside: string, body?: string])[]): Texts =>
  list.map(([outside, body = '']) => [`${outside} ${body}`, kernel(body, outside)]);
const heads = (...list: readonly string[]): Texts =>
  list.map((head) => [head, kernel('', '', head)]);
const signatures = (...list: readonly string[]): Texts =>
  list.map((parameters) => [`(${parameters})`, kernel('', '', HEAD, parameters)]);

const ADD = '.func (.reg .b32 r) f_add (.reg .b32 a) { add.s32 r, a, 1; ret; }';
const PARAM = '.func f_in (.param .b32 a) { ret; }';
const INDIRECT = '{ .param .b32 x; mov.u64 d0, f_in; t: ';

/** What ptxas takes. */
export const TAKEN: Texts = [
  ...lines(
    'ld.shared.b32 r0, sm[4];',
    'st.shared.b32 sm [2+2], r0;',
    'mov.u64 d0, sm[4];',
    'ld.shared.b32 r0, [r1+4<<1];',
    'ld.shared.b32 r0, [sm+(1?4:8)];',
    'mov.u64 d0, sm+(4*2);',
    'mov.u32 r0, (!0)+1;',
    'mov.u32 r0, (.s64)0xffffffffffffffff >> 60;',
    'mov.u32 r0, 1 + WARP_SZ;',
    'mov.f32 f0, 1.0+2.0;',
    'mov.b32 f0, 0f3f800000;',
    'bar .sync 0;',
    'ld.shared /* space */ .b32 r0, [sm];',
    '@ ! q0 mov.u32 r0, 1;',
    '.reg .v2 .b32 x<3>; mov.b32 r0, x1.y;',
    't: .branchtargets L<2>; L0: L1: brx.idx r0, t;',
    '.shared .b32 x<3>; ld.shared.b32 r0, [x1];',
    '{.shared .b32 z; ld.shared.b32 r0, [z];} {.shared .b64 z; ld.shared.b32 r0, [z];}',
    '.pragma "nounroll";',
  ),
  ...modules(
    [ADD, 'call (r1), f_add, (r0);'],
    [ADD, 'call (_), f_add, (3);'],
    [PARAM, 'call f_in, (r0);'],
    [ADD, '{ .param .b32 x; call (x), f_add, (x); }'],
    ['.func f_v (.reg .v4 .b32 a) { ret; }'],
    [PARAM, '{ .param .b32 x; call.uni f_in, (x); }'],
    [PARAM, `${INDIRECT} .callprototype _ (.param .b32 a) .noreturn; call d0, (x), t; }`],
    [PARAM, `${INDIRECT} .calltargets f_in; call d0, (x), t; }`],
    ['.func a(); .func b() { ret; } .alias a, b;', 'call a;'],
    ['.file 1 "a.cu", 12, 34 .global .b32 g;', '.loc 1\n1 1 mov.b32 r0, 1;'],
    ['.global .b32 h; .global .u8 g[2] = {0xff(h), 0xff00(h)};'],
    ['.global .b32 g[2][2] = {{1},{3,4}}, h = !0, i[WARP_SZ];'],
    ['.global .b32 g<4>;', 'ld.global.b32 r0, [g3];'],
    ['.global .attribute(.managed) .b32 g;'],
  ),
  ...heads(
    '.version 9.0 .target sm_90a .address_size 64',
    '.version 9.0\n.target sm_90a,\ntexmode_independent\n',
  ),
  ...signatures(
    '.hidden .param .u64 p',
    '.param .b8 .align 64 p[128]',
    '.param .u64 .ptr .align 8 p',
  ),
];

/** What ptxas refuses. */
export const REFUSED: Texts = [
  ...lines(
    'mov.u64 d0, sm-4;',
    'ld.shared.b32 r0, [sm-4];',
    'ld.shared.b32 r0, r1[4];',
    'st.shared.b32 [sm[4]], 3;',
    'atom.shared.add.u32 r0, sm[4], 1;',
    'mov.u32 r0, 08;',
    'mov.u64 d0, 99999999999999999999;',
    'mov.u32 r0, 1/0;',
    'mov.u32 r0 r1;',
    'mov.u32 r0,, r1;',
    'ld.shared.v2.b32 {r0 r1}, [sm];',
    '@r0 mov.u32 r0, 1;',
    'mov.u32 r0, %bogus;',
    'mov.u32 r0, %tid.q;',
    'ld.shared.b32 r0, [nothing];',
    '{.shared .b32 z;} ld.shared.b32 r0, [z];',
    'L: mov.u64 d0, L;',
    'L: L: ret;',
    '.bogus 1;',
    '.pragma nounroll;',
    '.branchtargets L; L:',
    't: .branchtargets L M; L: M: brx.idx r0, t;',
    '.maxnreg 32',
    '.reg .b32 x; .reg .b32 x;',
    '.reg .tf32 x;',
    '.reg .v4 .b64 x;',
    '.shared .b32 s[];',
    '.shared .b32 s = 3;',
  ),
  ...modules(
    ['.reg .b32 g;'],
    ['.visible;'],
    ['.bogus;'],
    ['.loc 1 1 1'],
    ['.alias a, b;'],
    ['.func f () .bogus { ret; }'],
    ['.func f () .maxnreg 32 { ret; }'],
    ['.func f (.b32 a) { ret; }'],
    ['.global .align 3 .b32 g;'],
    ['.global .b32 g[2] = {1,2,3};'],
    ['.global .b32 g[2] = {1 2};'],
    ['.global .b32 g = {1};'],
    ['.version 9.0'],
    [PARAM, 'call f_in;'],
    [ADD, 'call (r1), f_add, (d0);'],
    ['', 'call f_none;'],
    ['', 't: .calltargets f_none;'],
  ),
  ...heads(
    '.target sm_90a\n.version 9.0\n',
    '.version 9.0\n',
    '.version 9\n.target sm_90a\n',
    '.version 9.0\n.target sm_90a, bogus\n',
  ),
  ...signatures('.u64 p', '.reg .u64 p', '.param .u64 p,', '.param .u64 p, .param .u64 p'),
];
