// The text that `varwire run` shows when it is ready: the addresses, with a line to paste for each protocol.
import type { RunningServer } from '../../index.js';
import { printableLines } from './value-text.js';

export function banner({ source, endpoints }: Pick<RunningServer, 'source' | 'endpoints'>): string {
  const examples = endpoints.flatMap((endpoint) => endpoint.examples);
  const { name, file, what = file } = source.info;
  // What has no file of its own has that of this program.
  const from = file === process.argv[1] ? what : file;
  const lines = examples.map(({ label, text }) => `  ${label.padEnd(10)}${text}`);
  return printableLines(`${[`varwire serves ${name} (${from})`, '', ...lines].join('\n')}\n`);
}
