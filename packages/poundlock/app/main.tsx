// The page of `poundlock explore`.
import { render } from 'preact';
import { BAR_CHART_STYLE } from '../src/report/charts/bar-chart.ts';
import { DIAGRAM_STYLE } from '../src/report/diagram/style.ts';
import { SERVER } from './engine.ts';
import { Page } from './page.tsx';

const style = new CSSStyleSheet();
style.replaceSync(DIAGRAM_STYLE + BAR_CHART_STYLE);
document.adoptedStyleSheets = [style];
const root = document.querySelector('#app')!;
root.replaceChildren();
render(<Page engine={SERVER} />, root);
