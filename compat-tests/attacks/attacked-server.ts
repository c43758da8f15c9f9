// The server that an attack is tried on: by itself, with TLS, or mounted in another program.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dialled } from '../dial.js';
import { LaunchedServer, type LaunchOptions } from '../launch.js';
import { selfSigned } from '../self-signed.js';
import { WireClient } from '../wire-client.js';
import type { Attack, Place } from './attack.js';

const TARGET = new URL('./target.js', import.meta.url);
/** A program that serves what `varwire run` is told, and mounts it. */
export const MOUNTING = fileURLToPath(new URL('./mounting.js', import.meta.url));
/** Where that says it is mounted. */
export const MOUNTED_AT = /^mounted (\d+)$/m;

/** What a machine without a tool lacks; the sentence says which. */
export class MissingToolError extends Error {}

/** What an attack says of its server. */
export type Needs = Pick<Attack, 'way' | 'simArguments' | 'options' | 'tokens'>;

export class AttackedServer {
  private constructor(
    readonly server: LaunchedServer,
    private readonly needs: Needs,
  ) {}

  /** @param directory where it runs, and has its files. Throws a MissingToolError. */
  static async start(
    needs: Needs,
    directory: string,
    launch: Pick<LaunchOptions, 'engineOptions'> = {},
  ): Promise<AttackedServer> {
    const options = optionsOf(needs, directory);
    const { simArguments = [] } = needs;
    const program = needs.way === 'mounted' ? { program: [MOUNTING] } : {};
    const server = await LaunchedServer.start(TARGET, { ...launch, ...program, options, simArguments });
    return new AttackedServer(server, needs);
  }

  /** Where its other clients come. */
  get door(): Dialled {
    return { port: this.server.port, isSecure: this.needs.way === 'tls' };
  }

  /** Where attackers come. */
  get place(): Place {
    const { options = [], way } = this.needs;
    const { server } = this;
    const door = way === 'mounted' ? { port: server.portAfter(MOUNTED_AT) } : this.door;
    const krpc = options.includes('--krpc') ? { krpcPorts: { ...server.krpcPorts, isSecure: way === 'tls' } } : {};
    return { ...door, udpPort: server.udpPort, ...krpc };
  }

  client(): Promise<WireClient> {
    const { port, isSecure } = this.door;
    return isSecure ? WireClient.tls(port) : WireClient.tcp(port);
  }
}

function optionsOf({ way, options = [], tokens }: Needs, directory: string): readonly string[] {
  const all = ['--no-discovery', '--udp', '127.0.0.1:0', '--run-dir', directory, ...options];
  if (way === 'tls') all.push(...certificate(directory));
  if (tokens === undefined) return all;
  const file = join(directory, 'tokens');
  writeFileSync(file, tokens);
  return [...all, '--token-file', file];
}

function certificate(directory: string): readonly string[] {
  const made = selfSigned(directory);
  if (typeof made === 'string') throw new MissingToolError(made);
  return ['--cert', made.cert, '--key', made.key];
}
