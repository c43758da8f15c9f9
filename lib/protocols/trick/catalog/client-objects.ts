// Variables by which Trick's own clients find their way: stepping, the message port, Monte Carlo.

import { bool, describe, int, struct, text, unsignedInt } from '../../../model/state/declare.js';
import type { OverlayHost } from '../../../simulation/executive/overlay.js';
import { addServiceObject } from './service-object.js';

/** Trick: include/trick/DebugPause.hh */
const DebugPause = struct('Trick::DebugPause', {
  debug_pause_flag: bool({ about: 'whether every frame ends in a pause' }),
});

/** Trick: include/trick/MessageTCDevice.hh */
const MessageDevice = struct('Trick::MessageTCDevice', {
  enabled: bool(),
  color: bool(),
  hostname: text(256),
  port: int({ about: 'TCP port that sends messages; 0 for none' }),
});

/** Trick: include/trick/MessagePublisher.hh; input files set the name, and messages begin with the simulation's own. */
const MessagePublisher = struct('Trick::MessagePublisher', {
  sim_name: text(256, { about: 'remembered, and not shown in messages' }),
});

/** Trick: include/trick/MonteCarlo.hh; nothing here is a Monte Carlo master. */
const MonteCarlo = struct('Trick::MonteCarlo', { enabled: bool(), slave_id: unsignedInt() });

/** Where messages are sent from; known once the server listens. */
export interface MessageAddress {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Adds variables that clients may only read; commands change them. Returns a function that shows where messages are
 * sent from.
 */
export function addClientObjects({ state, clockwork }: OverlayHost): (shown: unknown) => Iterable<void> {
  addServiceObject(state, 'trick_instruments', 'InstrumentationSimObject').mirror('debug_pause', DebugPause, {
    get: () => ({ debug_pause_flag: clockwork.isDebugPauseOn }),
  });
  const messages = addServiceObject(state, 'trick_message', 'MessageSimObject');
  messages.component('mpublisher', MessagePublisher);
  const device = messages.component('mdevice', describe(MessageDevice, { access: 'read-only' }), { color: true });
  addServiceObject(state, 'trick_mc', 'MonteCarloSimObject').component(
    'mc',
    describe(MonteCarlo, { access: 'read-only' }),
  );
  return (shown) => {
    const { hostname, port } = messageAddress(shown);
    device.enabled = port > 0;
    device.hostname = hostname;
    device.port = port;
    return [];
  };
}

function messageAddress(shown: unknown): MessageAddress {
  const { hostname, port } = Object(shown) as Partial<MessageAddress>;
  if (typeof hostname === 'string' && Number.isInteger(port)) return { hostname, port: port as number };
  throw new TypeError('a message address is a hostname and a port');
}
