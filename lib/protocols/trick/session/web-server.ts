// What an input file may set of Trick's web server, `web.server`. Trick: CivetServer.sm
import { arithmetic, HostObject, plain, ScriptError, type ScriptValue } from '../../python/index.js';

/** An object that has this one alone. */
export class WebSimObject extends HostObject {
  readonly typeName = 'WebSimObject';
  readonly name = 'web';

  constructor(readonly server: WebServer) {
    super();
  }

  override attribute(name: string): ScriptValue | undefined {
    return name === 'server' ? this.server : undefined;
  }

  override names(): Iterable<string> {
    return ['server'];
  }
}

export class WebServer extends HostObject {
  readonly typeName = 'CivetServer';
  private readonly settings = new Map<string, boolean | bigint | string>([
    ['enable', false],
    ['port', 8888n],
    ['document_root', 'www'],
    ['debug', false],
    ['ssl_enable', false],
    ['path_to_ssl_cert', '~/.ssl/server.pem'],
    ['error_log_file', 'civet_server_error.log'],
    ['time_homogeneous', false],
  ]);

  get isEnabled(): boolean {
    return this.settings.get('enable') === true;
  }

  get port(): number {
    return Number(this.settings.get('port'));
  }

  get directory(): string {
    return `${this.settings.get('document_root')}`;
  }

  get wantsTls(): boolean {
    return this.settings.get('ssl_enable') === true;
  }

  override attribute(name: string): ScriptValue | undefined {
    return this.settings.get(name);
  }

  override setAttribute(name: string, value: ScriptValue): boolean {
    const before = this.settings.get(name);
    if (before === undefined) return false;
    const given = sameKind(before, plain(value));
    if (given === undefined) throw new ScriptError('TypeError', `web.server.${name} takes no such value`);
    if (name === 'port' && !(Number(given) >= 0 && Number(given) <= 65_535))
      throw new ScriptError('ValueError', `web.server.port is a number from 0 to 65535, not ${given}`);
    this.settings.set(name, given);
    return true;
  }

  override names(): Iterable<string> {
    return this.settings.keys();
  }
}

/** A value as one of the kind of another; undefined when it is none. */
function sameKind(before: boolean | bigint | string, given: ScriptValue): boolean | bigint | string | undefined {
  if (typeof before === 'string') return typeof given === 'string' ? given : undefined;
  const number = arithmetic(given);
  if (number === undefined || !Number.isFinite(Number(number))) return undefined;
  return typeof before === 'boolean' ? Number(number) !== 0 : BigInt(Math.trunc(Number(number)));
}
