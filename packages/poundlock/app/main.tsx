// The page of `poundlock explore`.
import { render } from 'preact';
import { TIMELINE_STYLE } from '../src/report/timeline/svg.ts';
import { DIAGRAM_STYLE } from '../src/report/diagram/style.ts';
import { SERVER } from './engine.ts';
import { Page } from './page.tsx';

const style = new CSSStyleSheet();
style.replaceSync(DIAGRAM_STYLE + TIMELINE_STYLE);
document.adoptedStyleSheets = [style];
const root = document.querySelector('#app')!;
root.replaceChildren();
render(<Page engine={SERVER} />, root);
