// The playground: static files that check programs in the browser.
import { render } from 'preact';
import { TIMELINE_STYLE } from '../../../packages/poundlock/src/report/timeline/svg.ts';
import { DIAGRAM_STYLE } from '../../../packages/poundlock/src/report/diagram/style.ts';
import { Playground } from './playground.tsx';

const style = new CSSStyleSheet();
style.replaceSync(DIAGRAM_STYLE + TIMELINE_STYLE);
document.adoptedStyleSheets = [style];
const root = document.querySelector('#app')!;
root.replaceChildren();
render(<Playground />, root);
