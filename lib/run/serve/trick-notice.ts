// What the log says at the start about Trick text that is spoken less than the other options let one expect.
import { isLoopback } from '../../serving/transport/address.js';
import { DEFAULT_HOST, type SourceOptions, trickTrustOf } from './options.js';

const NO_TOKEN =
  'Trick text is not spoken, because it carries no token: --trick local opens it to this machine, --trick on to what --allow names';
const THIS_MACHINE =
  'Trick text is open to this machine alone, because it carries no token: --allow names the addresses of others';

type Given = Pick<SourceOptions, 'trick' | 'tokens' | 'tcp' | 'udp' | 'multicast' | 'messages' | 'host' | 'allow'>;

/** One sentence; undefined when there is nothing to say. */
export function trickNotice(options: Given): string | undefined {
  const { trick, tokens, host = DEFAULT_HOST, allow = [] } = options;
  const spoken = trickTrustOf(options);
  if (spoken === 'off') {
    const vain = inVain(options);
    if (trick !== 'off') return vain === undefined ? NO_TOKEN : `${NO_TOKEN}; ${vain}`;
    return vain === undefined ? undefined : `Trick text is not spoken; ${vain}`;
  }
  return spoken === 'on' && tokens?.size && allow.length === 0 && !isLoopback(host) ? THIS_MACHINE : undefined;
}

/** Which of its addresses were given and are not opened. */
function inVain({ tcp = [], udp = 'off', multicast = [], messages = 'off' }: Given): string | undefined {
  const given = Object.entries({
    '--tcp': tcp.length > 0,
    '--udp': udp !== 'off',
    '--multicast': multicast.length > 0,
    '--messages': messages !== 'off',
  });
  const names = given.flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  return names.length === 0 ? undefined : `${names.join(' and ')} ${names.length > 1 ? 'open' : 'opens'} nothing`;
}
