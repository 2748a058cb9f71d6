// A verdict as HTML: in the pages of reports, in the explorer and in the playground.
import {
  blocksRemark,
  remarksBy,
  renderedParts,
  textsLine,
  type Claim,
  type RenderRemark,
  type VerdictParts,
} from '../verdict.ts';
import { element, escaped, sentenceHtml } from './text.ts';

/** A remark in a line of its own. */
export const remarkHtml: RenderRemark = (word, text) =>
  `<p class="remark"><b>${word}:</b> ${sentenceHtml(text)}</p>`;

function claimHtml({ verdict, subject, statement }: Claim): string {
  const badge = element('span', verdict, `badge ${verdict}`);
  return `<p>${badge} ${escaped(`${subject}: ${statement}`)}</p>`;
}

const facts = (text: string): string => element('p', text, 'facts');

/** All of a verdict but its findings, of which each surface has a list. */
export function verdictHtml(parts: VerdictParts): string[] {
  return renderedParts(
    {
      claim: (claim) => [claimHtml(claim), ...blocksRemark(claim, remarkHtml)],
      ...remarksBy(remarkHtml),
      findings: () => [],
      statistics: (text) => [facts(text)],
      texts: (texts) => textsLine(texts).map(facts),
    },
    parts,
  );
}
