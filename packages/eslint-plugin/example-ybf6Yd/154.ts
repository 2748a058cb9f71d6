import { parsePtx } from 'poundlock/ptx';

const text = `.version 8.0
.target sm_90a
.address_size 64
.visible .entry meet() { bar.sync 0; ret; }`;
console.log(parsePtx(text).target); // sm_90a