// The text that `varwire run` shows when it is ready: the addresses, with a line to paste for each protocol.
import type { RunningServer } from '../../index.js';
import { printableLines } from './value-text.js';

export function banner({ source, endpoints }: Pick<RunningServer, 'source' | 'endpoints'>): string {
  const examples = endpoints.flatMap((endpoint) => endpoint.examples);
  const lines = examples.map(({ label, text }) => `  ${label.padEnd(10)}${text}`);
  return printableLines(`${[`varwire serves ${source.info.name} (${source.info.file})`, '', ...lines].join('\n')}\n`);
}
