// All options for where something listens: the rows of the front-ends, without loading the front-ends.
import { BRP_PORTS } from '../../protocols/brp/ports.js';
import { FOXGLOVE_PORTS } from '../../protocols/foxglove/ports.js';
import { HTTP_PORTS } from '../../protocols/http/ports.js';
import { KRPC_PORTS } from '../../protocols/krpc/ports.js';
import { MESSAGE_PORTS, TRICK_PORTS } from '../../protocols/trick/front-end/ports.js';
import type { PortOption } from '../../serving/transport/front-end.js';

/** The options that say where a server listens: the command line and its help are made from them. */
export const PORT_OPTIONS: readonly PortOption[] = [
  ...Object.values(TRICK_PORTS),
  ...Object.values(MESSAGE_PORTS),
  ...HTTP_PORTS,
  ...BRP_PORTS,
  ...KRPC_PORTS,
  ...FOXGLOVE_PORTS,
];
