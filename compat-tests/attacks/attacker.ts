// `node attacker.js NAME CLIENTS SECONDS PORT UDP_PORT [RPC_PORT STREAM_PORT]`: a process that is so many clients of one attack.
import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import { ATTACKS } from './index.js';

/** Lets the server and the bystander go first on a machine of few cores: what is measured is the server. */
const NICENESS = 15;
/** Connections of many clients that end at once. */
const END_MILLIS = 500;

const [name, clients, seconds, port, udpPort, rpcPort, streamPort] = process.argv.slice(2);
const attack = ATTACKS.find((candidate) => candidate.name === name);
if (!attack) throw new Error(`there is no attack ${name}`);
setPriority(NICENESS);
const isSecure = attack.way === 'tls';
const krpcPorts = { rpc: Number(rpcPort), stream: Number(streamPort), isSecure };
const place = { port: Number(port), isSecure, udpPort: Number(udpPort), krpcPorts };
const until = AbortSignal.timeout(1000 * Number(seconds));
// A connection that is neither read nor written does not keep the process.
setTimeout(() => process.exit(0), 1000 * Number(seconds) + END_MILLIS);
setMaxListeners(0, until);
await Promise.all(Array.from({ length: Number(clients) }, () => attack.run(place, until)));
