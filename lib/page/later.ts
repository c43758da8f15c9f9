// What the first picture of the page does without: plots, most other panels, the tree of variables, and dialogs.
export { PlaybackBar } from './control/playback-bar.js';
export { PANEL_KINDS } from './kinds.js';
export { layoutOfText } from './shell/layout-files.js';
export { OpenDialog } from './shell/open-dialog.js';
export { TreeState } from './tree/tree-state.js';
export { VariableTree } from './tree/variable-tree.js';
