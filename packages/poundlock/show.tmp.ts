import { check } from 'poundlock/check';
const D='/work/wt-diagnosis/packages/poundlock/test/check/diagnosis/models/';
import { readFileSync } from 'node:fs';
for (const [file, fn] of [['gemm-sm90','gemmSm90'],['attention-sm90','attentionSm90'],['multicast-sm90','multicastSm90'],['gemm-sm100','gemmSm100'],['attention-sm100','attentionSm100'],['tilelang','tilelang'],['ordered','ordered'],['aref','aref'],['kittens','kittens'],['stores','stores']] as const) {
  if (process.argv[2] && process.argv[2] !== file) continue;
  let text; try { text = readFileSync(D+file+'.ts','utf8'); } catch { continue; }
  const m = await import(D+file+'.ts');
  const bugs = [...text.split(';')[0+text.split(';').findIndex(t=>t.includes('Bug ='))]!.matchAll(/\| '([^']+)'/g)].map(x=>x[1]);
  for (const bug of bugs) {
    const t=Date.now();
    const r = await check(m[fn](bug), {timeoutMs: 30000} as any);
    const f = r.findings[0];
    console.log(`${file} | ${bug}\n      ${r.verdict} ${f?.rule ?? r.reason ?? ''} ${Date.now()-t}ms: ${f?.message ?? ''}`);
  }
}
