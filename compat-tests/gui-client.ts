// A client that writes as Trick's graphical clients do: one command per write, with the line ends and blanks that each
// adds.
import { endAfterFailure, ServerHere } from './launch.js';
import { WireClient } from './wire-client.js';

const HANDSHAKE = 'trick.var_exists("trick_variable_server_handshake")';

/** What each kind of client adds after a command. */
export const ENDINGS = { simControl: '\n\n', trickView: '\n', display: ' \n' } as const;

export class GuiClient {
  private constructor(
    readonly wire: WireClient,
    private readonly ending: string,
  ) {}

  static async connect(port: number, ending: string = ENDINGS.trickView): Promise<GuiClient> {
    return new GuiClient(await WireClient.tcp(port), ending);
  }

  /** Begins as Trick's Java clients do: nothing more is sent before the answer to a first question. */
  static async shakeHands(port: number, tag: string, ending?: string): Promise<GuiClient> {
    const client = await GuiClient.connect(port, ending);
    client.wire.send(`${HANDSHAKE}\n`);
    const answer = await client.wire.line();
    if (answer !== '1\t0') throw new Error(`the handshake was answered with ${JSON.stringify(answer)}`);
    client.put(`trick.var_set_client_tag("${tag}")`);
    return client;
  }

  /** Sends each command in a write of its own. */
  put(...commands: readonly string[]): void {
    for (const command of commands) this.wire.send(command + this.ending);
  }

  add(...names: readonly string[]): void {
    this.put(...names.map((name) => `trick.var_add("${name}")`));
  }

  /** The fields of the next line, including empty ones at the end. */
  async fields(): Promise<string[]> {
    return (await this.wire.line()).split('\t');
  }

  /** The values of some variables, asked for once; afterwards the list is empty again. */
  async read(...names: readonly string[]): Promise<string[]> {
    this.add(...names);
    this.put('trick.var_send()', 'trick.var_clear()');
    const [indicator, ...values] = await this.fields();
    if (indicator !== '0' || values.length !== names.length) {
      throw new Error(`expected ${names.length} values, not ${JSON.stringify([indicator, ...values])}`);
    }
    return values;
  }

  /** Whether a variable exists: `1` or `0`. */
  async exists(name: string): Promise<string> {
    this.put(`trick.var_exists("${name}")`);
    return this.wire.line().then((line) => line.replace(/^1\t/, ''));
  }

  /** The next line whose fields meet a condition; lines before it are skipped. */
  async until(isMet: (fields: readonly string[]) => boolean): Promise<string[]> {
    for (;;) {
      const fields = await this.fields();
      if (isMet(fields)) return fields;
    }
  }

  /** Leaves as every Java client does. */
  async exit(): Promise<void> {
    this.put('trick.var_exit()');
    await this.wire.ended();
  }
}

/**
 * A server for the tests of one suite; after a failed test a new one, so that one failure causes no others.
 * @returns its port, once the suite runs.
 */
export function serving(simulation: string | URL, options: readonly string[] = []): () => number {
  let server: ServerHere | undefined;
  const start = async () => {
    server = await ServerHere.start(simulation, { options });
  };
  before(start);
  afterEach(async function () {
    if (await endAfterFailure(this, server)) await start();
  });
  after(() => server?.stop());
  return () => server!.port;
}
