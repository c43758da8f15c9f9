// Variables by which Trick's own clients find their way: stepping, the message port, Monte Carlo.
import { bool, int, struct, text, unsignedInt } from '../model/declare.js';
import type { State } from '../model/state.js';
import type { Executive } from './executive.js';

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

/** Trick: include/trick/MonteCarlo.hh; nothing here is a Monte Carlo master. */
const MonteCarlo = struct('Trick::MonteCarlo', { enabled: bool(), slave_id: unsignedInt() });

/** Where messages are sent from; known once the server listens. */
export interface MessageAddress {
  readonly hostname: string;
  readonly port: number;
}

export interface ClientFacts {
  readonly state: State;
  readonly executive: Executive;
  readonly messageAddress: MessageAddress;
}

/** All of them are for reading; commands change what they show. */
export function addClientObjects(facts: ClientFacts): void {
  const { state, executive } = facts;
  state.addObject('trick_instruments', { typeName: 'InstrumentationSimObject' }).mirror('debug_pause', DebugPause, {
    get: () => ({ debug_pause_flag: executive.isDebugPauseOn }),
  });
  state.addObject('trick_message', { typeName: 'MessageSimObject' }).mirror('mdevice', MessageDevice, {
    get: () => ({ ...facts.messageAddress, enabled: facts.messageAddress.port > 0, color: true }),
  });
  state.addObject('trick_mc', { typeName: 'MonteCarloSimObject' }).mirror('mc', MonteCarlo, { get: () => ({}) });
}
