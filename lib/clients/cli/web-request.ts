// One request of a command by HTTP. NASA's Trick takes it for text of its own and answers nothing, so that is found out.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** A server that has said nothing for so long is asked in Trick's language what it is. */
const SILENT_MILLIS = 1000;
const PROBE_MILLIS = 3000;
/** How long a Trick server may take to read that its session ends, of a cycle of 0.1 s; and how often it is said. */
const FAREWELL_MILLIS = 300;
const FAREWELLS = 3;
const FAREWELL = 'trick.var_exit()\n';
/** A command of varwire that NASA's Trick does not have. */
const VARWIRE_ALONE = 'exec_is_in_freeze';

/** The server is NASA's Trick. */
export class NoJsonRpcError extends Error {
  override readonly name = 'NoJsonRpcError';

  constructor(host: string) {
    super(
      `${host} is a variable server of NASA's Trick, which speaks no JSON-RPC; get, set, watch and call take it as ${host}`,
    );
  }
}

export interface WebRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Asked when the server is silent. */
  readonly isNasas: () => Promise<boolean>;
}

/** Rejects with a NoJsonRpcError, with the reason of the signal, or with what is wrong with the connection. */
export function post(url: URL, { headers, body, signal, isNasas }: WebRequest): Promise<IncomingMessage> {
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method: 'POST', headers });
    let hasGivenUp = false;
    const giveUp = (error: Error): void => {
      hasGivenUp = true;
      clearTimeout(silence);
      void leave(sent).then(() => reject(error));
    };
    const silence = setTimeout(async () => {
      if ((await isNasas()) && !hasGivenUp) giveUp(new NoJsonRpcError(url.host));
    }, SILENT_MILLIS);
    const abort = (): void => giveUp(signal.reason);
    const heard = (): void => {
      clearTimeout(silence);
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort, { once: true });
    sent.on('close', heard);
    sent.on('error', (error) => hasGivenUp || reject(error));
    sent.on('response', (response) => {
      heard();
      signal.addEventListener('abort', () => response.destroy(signal.reason), { once: true });
      resolve(response);
    });
    // With a newline at its end, NASA's Trick has run all of it before the session ends.
    sent.end(`${body}\n`);
  });
}

/** Ends a session of Trick that the request may have opened, and the connection. */
async function leave(sent: ClientRequest): Promise<void> {
  const { socket } = sent;
  // A server that was late reads the first one with the request, and drops both.
  for (let said = 0; said < FAREWELLS && socket && !socket.destroyed && !socket.connecting; said++) {
    socket.write(FAREWELL);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FAREWELL_MILLIS);
      socket.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  sent.destroy();
}

/** Whether a server speaks Trick's language as NASA's own does; false where that does not become clear. */
export async function isNasas({ protocol, hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const tls = protocol === 'https:';
  const at = { host, port: Number(port || (tls ? 443 : 80)), tls, timeoutMillis: PROBE_MILLIS };
  const { CommandRefusedError, TrickClient } = await import('../trick/index.js');
  const client = await TrickClient.connect(at).catch(() => undefined);
  const refused = await client?.call(VARWIRE_ALONE).catch((error: unknown) => error);
  client?.close();
  return refused instanceof CommandRefusedError && refused.message.includes('AttributeError');
}
