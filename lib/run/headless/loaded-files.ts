// Which files a thread has loaded, and what follows from them, Node.js and the processor.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** From its making on. */
export class LoadedFiles {
  private readonly session = new Session();
  private readonly urls = new Set<string>();

  constructor() {
    // A hook of Node's loader would cost as much again as the loading.
    this.session.connect();
    this.session.on('Debugger.scriptParsed', ({ params: { url } }) => this.urls.add(url));
    this.session.post('Debugger.enable');
    // Nobody goes on after a debugger statement.
    this.session.post('Debugger.setSkipAllPauses', { skip: true });
  }

  /** Two machines with the same one compute the same rows. To be called once. */
  fingerprint(simulationUrl: string): string {
    this.session.disconnect();
    const scripts = [simulationUrl, ...this.urls]
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
    // Data and native modules are no scripts; Node keeps what it has loaded of them there.
    const others = Object.keys(createRequire(import.meta.url).cache);
    // Where the files lie makes no difference.
    const contents = [...new Set([...scripts, ...others])].map((file) =>
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    );
    const facts = [...contents.sort(), process.version, process.arch, process.platform];
    return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 32);
  }
}
