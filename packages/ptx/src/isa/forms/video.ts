// Forms of video, texture and surface instructions, in the notation of ../notation.ts.
export const VIDEO = `
= compute: Arithmetic on bytes and halves of registers.
vadd,vsub,vabsdiff,vmin,vmax,vshl,vshr,vset,vmad | * | * | 2.0 | sm_70 | unmodeled
vadd2,vsub2,vavrg2,vabsdiff2,vmin2,vmax2,vset2,vadd4,vsub4,vavrg4,vabsdiff4,vmin4,vmax4,vset4 |
  * | * | 3.0 | sm_70 | unmodeled
= opaque: Accesses textures and surfaces.
tex | [.base,.level,.grad] ($geom) (.v4,.v2) (.u32,.s32,.f16,.f32,.f16x2) (.s32,.f32) | * | 1.0
  | sm_70 | modeled
tld4 | (.r,.g,.b,.a) (.2d,.a2d,.cube,.acube) .v4 (.u32,.s32,.f32) .f32 | * | 2.2 | sm_70 |
  modeled
txq | * | * | 2.0 | sm_70 | modeled
suld | .b ($geom) [.ca,.cg,.cs,.cv] [.v2,.v4] (.b8,.b16,.b32,.b64) (.trap,.clamp,.zero) | * |
  1.5 | sm_70 | modeled
sust | (.b,.p) ($geom) [.wb,.cg,.cs,.wt] [.v2,.v4] (.b8,.b16,.b32,.b64) (.trap,.clamp,.zero) | *
  | 1.5 | sm_70 | unmodeled
sured | (.b,.p) (.add,.min,.max,.and,.or) ($geom) (.b32,.u32,.u64,.s32,.s64,.b64) (.trap,.clamp,
  .zero) | * | 3.0 | sm_70 | unmodeled
suq | * | * | 2.0 | sm_70 | modeled
`;
