// The computations on registers, by the first word of their names.

type Sum = 'add' | 'addc' | 'sub' | 'subc' | 'sad' | 'abs' | 'neg' | 'min' | 'max';
type Product = 'mul' | 'mul24' | 'mad' | 'mad24' | 'madc' | 'clmad' | 'fma' | 'div' | 'rem';
type DotProduct = 'dp2a' | 'dp4a';
type Logic = 'and' | 'or' | 'xor' | 'not' | 'cnot' | 'lop3' | 'shl' | 'shr' | 'shf' | 'prmt';
type Field = 'bfe' | 'bfi' | 'bfind' | 'bmsk' | 'brev' | 'clz' | 'fns' | 'popc' | 'szext';
type Function = 'rcp' | 'sqrt' | 'rsqrt' | 'sin' | 'cos' | 'lg2' | 'ex2' | 'tanh' | 'copysign';
type Test = 'set' | 'setp' | 'testp' | 'isspacep' | 'istypep';
type Move = 'mov' | 'cvt' | 'cvta' | 'selp' | 'slct' | 'mapa' | 'getctarank';
type Stack = 'alloca' | 'stacksave' | 'stackrestore';
type Compression = 'spcompress' | 'spdecompress';
type OfBytes = 'add' | 'sub' | 'avrg' | 'absdiff' | 'min' | 'max' | 'shl' | 'shr' | 'set' | 'mad';
/** Arithmetic on bytes and halves of registers. */
export type Video = `v${OfBytes}${'' | 2 | 4}`;

/** A computation on registers: the first word of its name. */
export type Operation =
  | Sum
  | Product
  | DotProduct
  | Logic
  | Field
  | Function
  | Test
  | Move
  | Stack
  | Compression
  | Video;
