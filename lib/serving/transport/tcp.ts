// A port where every connection is a plain stream.
import type { Connection, Listener } from './connection.js';
import { SocketConnection } from './socket-connection.js';
import { listenSockets, type PortOptions } from './socket-server.js';

/** Rejects with a ListenError: "port 7000 on 127.0.0.1 is already in use". */
export function listenTcp(options: PortOptions, onConnection: (connection: Connection) => void): Promise<Listener> {
  return listenSockets(options, (socket) => {
    const connection = new SocketConnection(socket, options.turnedAway);
    onConnection(connection);
    return () => connection.end();
  });
}
