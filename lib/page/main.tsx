// The page at GET /: its start, with all kinds of panels.
import { PANEL_KINDS } from './kinds.js';
import { start } from './shell/start.js';

void start(document.body, PANEL_KINDS);
