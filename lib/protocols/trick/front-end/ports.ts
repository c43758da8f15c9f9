// Where Trick's protocols listen: rows of the table of ports, and the lines to paste.
import { bracketed } from '../../../serving/transport/address.js';
import type { Example, ExamplePlace, PortOption } from '../../../serving/transport/front-end.js';

const TRICK_TEXT = ['Trick text'] as const;

const TRICK: PortOption = {
  name: 'trick',
  option: 'port',
  takes: 'N',
  byDefault: '7000; 0 takes a free one',
  speaks: TRICK_TEXT,
  about: 'port for Trick text and HTTP',
};

const UDP: PortOption = {
  name: 'udp',
  option: 'udp',
  takes: 'ADDR:PORT|off',
  byDefault: "the main port's number",
  speaks: TRICK_TEXT,
  about: 'where the UDP session is',
};

const TCP: PortOption = {
  name: 'tcp',
  option: 'tcp',
  takes: 'ADDR:PORT',
  isRepeatable: true,
  byDefault: 'none',
  speaks: TRICK_TEXT,
  about: 'one more TCP port for Trick text',
};

const MULTICAST: PortOption = {
  name: 'multicast',
  option: 'multicast',
  takes: 'GROUP:PORT',
  isRepeatable: true,
  byDefault: 'none',
  speaks: TRICK_TEXT,
  about: 'a multicast session',
};

const MESSAGES: PortOption = {
  name: 'messages',
  option: 'messages',
  takes: 'PORT|off',
  byDefault: 'a free port, which it finds',
  speaks: ["Trick's messages"],
  about: "where Trick's Sim Control reads messages",
};

/** Rows of the table of ports. */
export const TRICK_PORTS = { trick: TRICK, udp: UDP, tcp: TCP, multicast: MULTICAST } as const;
export const MESSAGE_PORTS = { messages: MESSAGES } as const;

export function trickExamples({ host, port, isTls, variable }: ExamplePlace): readonly Example[] {
  const connect = isTls ? `openssl s_client -quiet -connect ${bracketed(host)}:${port}` : `nc ${host} ${port}`;
  const add = `trick.var_add("${variable}")`;
  const typed = { label: 'Trick', text: `${connect}     then type   ${add}` };
  return isTls ? [typed] : [typed, { label: '', text: `printf '${add}\\n' | ${connect}` }];
}

export const udpExamples = ({ host, port }: ExamplePlace): readonly Example[] => [
  { label: 'UDP', text: `nc -u ${host} ${port}` },
];
