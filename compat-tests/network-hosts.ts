// Hosts of a test's own: network namespaces, each with a link to the first one, where the machine allows them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';

const READY = 'ready';
const HOLD = ['sh', '-c', `ip link set lo up && echo ${READY} && exec sleep 600`];

export class NetworkHosts {
  private readonly others: ChildProcess[] = [];

  private constructor(private readonly first: ChildProcess) {}

  /** Skips the tests of the hook that calls it where there are no namespaces, and says why. */
  static async start(hook: Mocha.Context, count: number): Promise<NetworkHosts> {
    try {
      const hosts = new NetworkHosts(await held('unshare', '--user', '--map-root-user', '--net', ...HOLD));
      for (let number = 1; number < count; number++) await hosts.add(number);
      return hosts;
    } catch (error) {
      console.log(`    skipped: there are no network namespaces: ${(error as Error).message.trim()}`);
      return hook.skip();
    }
  }

  /** The address of the first host, as another one sees it. */
  addressFor = (number: number): string => `10.77.${number}.1`;

  private async add(number: number): Promise<void> {
    const host = await held('nsenter', ...this.words(this.first, '--user'), 'unshare', '--net', ...HOLD);
    this.others.push(host);
    const link = linkOf(number);
    this.ip(0, `link add ${link} type veth peer name eth0 netns ${host.pid}`);
    this.ip(0, `addr add ${this.addressFor(number)}/24 dev ${link}`);
    this.ip(number, `addr add 10.77.${number}.2/24 dev eth0`);
    this.ip(number, 'link set eth0 up');
    this.link(number, true);
  }

  /** Starts a program there, in a directory. */
  spawn(number: number, directory: string, ...words: readonly string[]): ChildProcess {
    return spawn('nsenter', [...this.words(this.host(number), '--user', '--net'), ...words], { cwd: directory });
  }

  /** Cuts the link of a host, or joins it again. */
  link(number: number, isUp: boolean): void {
    this.ip(0, `link set ${linkOf(number)} ${isUp ? 'up' : 'down'}`);
  }

  stop(): void {
    for (const host of [...this.others, this.first]) host.kill('SIGKILL');
  }

  private ip(number: number, words: string): void {
    execFileSync('nsenter', [...this.words(this.host(number), '--user', '--net'), 'ip', ...words.split(' ')]);
  }

  private host(number: number): ChildProcess {
    return [this.first, ...this.others][number] as ChildProcess;
  }

  private readonly words = (host: ChildProcess, ...kinds: readonly string[]): readonly string[] => [
    ...['--target', `${host.pid}`, '--preserve-credentials'],
    ...kinds,
  ];
}

const linkOf = (number: number): string => `varwire${number}`;

/** A process that holds a namespace. */
async function held(program: string, ...words: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(said)));
  while (!said.includes(READY)) await Promise.race([once(child.stdout, 'data'), failed]);
  failed.catch(() => undefined);
  return child;
}
