// The doors that are fuzzed, one entry each.
import { BEVY, BEVY_FRAMES } from './brp-door.js';
import { CHECKPOINTS } from './checkpoint-door.js';
import type { Door } from './door.js';
import { HTTP_BYTES, MOUNTED_BYTES, MOUNTED_FRAMES, WEBSOCKET_FRAMES } from './http-door.js';
import { KRPC_CALLS, KRPC_FRAMES, KRPC_HANDSHAKES } from './krpc-door.js';
import { INSIDE_TLS, TLS_RECORDS } from './tls-door.js';
import { DATAGRAMS, INPUT_FILES, TRICK_TEXT } from './trick-door.js';

export const DOORS: readonly Door[] = [
  TRICK_TEXT,
  DATAGRAMS,
  HTTP_BYTES,
  WEBSOCKET_FRAMES,
  BEVY,
  BEVY_FRAMES,
  CHECKPOINTS,
  INPUT_FILES,
  KRPC_CALLS,
  KRPC_FRAMES,
  KRPC_HANDSHAKES,
  MOUNTED_BYTES,
  MOUNTED_FRAMES,
  TLS_RECORDS,
  INSIDE_TLS,
];
