// Checkpoints in Trick's text form: text to statements, and the spelling of texts and characters.
export { encodeCharacter, encodeText } from './escapes.js';
export { LongList } from './long-list.js';
export { lineAt, parseCheckpoint, parsePieces } from './parser.js';
export type {
  Assignment,
  CheckpointResult,
  Declaration,
  Items,
  Literal,
  Path,
  Statement,
  Step,
} from './tree.js';
