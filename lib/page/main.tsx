// The page at GET /: its start with what its first picture needs; the rest comes meanwhile.
import type { PanelKind } from './panels/panel.js';
import { table } from './panels/table/table.js';
import { start } from './shell/start.js';

void start(document.body, [table as unknown as PanelKind], () => import('./later.js'));
