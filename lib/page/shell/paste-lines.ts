// Lines that people paste into a terminal or a program, with this server's own address in them.

export interface PastedServer {
  /** Address of the server's root, with a slash at the end. */
  readonly base: string;
  readonly hasToken: boolean;
  readonly alias: string;
}

export interface PasteLine {
  readonly title: string;
  readonly text: string;
}

export function lines({ base, hasToken, alias }: PastedServer): readonly PasteLine[] {
  const curl = `${base}jsonrpc${hasToken ? " -H 'Authorization: Bearer TOKEN'" : ''}`;
  const call = (method: string, params: string): string =>
    `curl -s ${curl} -d '{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}'`;
  const options = hasToken ? ", { token: 'TOKEN' }" : '';
  return [
    { title: 'The latest value of a variable', text: call('var/get', `{"aliases":["${alias}"]}`) },
    { title: 'What there is', text: call('var/list', '{"limit":100}') },
    {
      title: 'A stream of events, until interrupted',
      text: `curl -sN ${curl} -H 'Accept: text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"var/subscribe","params":{"aliases":["${alias}"],"cycle_ms":100}}'`,
    },
    { title: 'Freeze; "run" goes on', text: call('sim/control', '{"action":"freeze"}') },
    {
      title: 'A page of your own',
      text: `import { connect } from '${base}varwire.js';
connect('${base}'${options}).watch(['${alias}'], ({ seconds, values: [value] }) => console.log(seconds, value));`,
    },
  ];
}
