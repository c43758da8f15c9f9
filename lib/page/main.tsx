// The page at GET /: starts in the element that the server's HTML has.
import { render } from 'preact';
import { PANEL_KINDS } from './kinds.js';

render(<p>{PANEL_KINDS.length}</p>, document.body);
