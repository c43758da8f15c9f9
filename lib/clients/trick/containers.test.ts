// Containers and arrays of one element, from a server that answers as NASA's Trick does.
import { expect } from 'chai';
import { binaryList, doubleBytes, ScriptedServer } from '../../testing/aids/scripted-server.js';
import { BadReferenceError, ValueTooLargeError } from './errors.js';
import { TrickClient } from './trick-client.js';

const DOUBLE = 11;
const NONE = 25;
const VALUES: Readonly<Record<string, number>> = { x: 1.5, one: 2.5, 'vd[0]': 10, 'vd[1]': 20 };

/** Has the scalar x, the array one[1], and the containers vd and empty, which ASCII shows as memory. */
function answer(line: string): string | Buffer | undefined {
  const names = /var_send_once\("([^"]*)"/.exec(line)?.[1]?.split(',');
  const of = (name: string) => [name, ...typedOf(name)] as const;
  if (names && isAscii)
    return `5\t${names.map((name) => VALUES[name] ?? (name === 'vd' ? '3.1e-310,7' : 'BAD_REF')).join('\t')}\n`;
  if (names) return binaryList(5, names.map(of));
  if (/var_(ascii|binary)\(/.test(line)) isAscii = line.includes('ascii');
  const sized = /var_get_stl_size\("(\w+)"/.exec(line)?.[1];
  if (sized) return `6\t${{ vd: 2, empty: 0, many: 4_000_000_000 }[sized] ?? 'BAD_REF'}\n`;
  const asked = /var_exists\("([^"]*)"/.exec(line)?.[1];
  if (asked)
    return isAscii ? `1\t${asked === 'one[0]' ? 1 : 0}\n` : Buffer.from([1, 0, 0, 0, asked === 'one[0]' ? 1 : 0]);
  return undefined;
}
let isAscii = true;
const typedOf = (name: string): readonly [number, Buffer] => {
  const value = VALUES[name];
  return value === undefined ? [NONE, Buffer.alloc(4)] : [DOUBLE, doubleBytes(value)];
};

describe('TrickClient, of values that are not what they look like', () => {
  for (const form of ['binary', 'ascii'] as const) {
    describe(`in ${form}`, () => {
      let server: ScriptedServer;
      let client: TrickClient;
      before(async () => {
        server = await new ScriptedServer(answer).start();
        client = await TrickClient.connect({ port: server.port, form });
      });
      after(async () => {
        client.close();
        await server.stop();
      });

      it('reads containers by their elements, never as a whole', async () => {
        expect(await client.get(['x', 'vd', 'empty', 'one'])).to.deep.equal([1.5, [10, 20], [], [2.5]]);
        const asked = server.lines.filter((line) => /var_send_once\("([^"]*,)?vd[,"]/.test(line));
        if (form === 'ascii') expect(asked).to.deep.equal([]);
      });

      it('gives an array of one element as a list, and asks once what it is', async () => {
        const isQuestion = (line: string): boolean => line.includes('var_exists("one[0]")');
        expect(await client.get('one')).to.deep.equal([2.5]);
        expect(await client.get('x')).to.equal(1.5);
        expect(server.lines.filter(isQuestion)).to.have.length(1);
      });

      it('does not ask for the elements of a container that is too large', async () => {
        const error = await client.get(['x', 'many']).catch((thrown: unknown) => thrown);
        expect(error).to.be.instanceOf(ValueTooLargeError).with.deep.property('names', ['many']);
      });

      it('still refuses what is no variable', async () => {
        const error = await client.get(['x', 'nosuch', 'vd']).catch((thrown: unknown) => thrown);
        expect(error).to.be.instanceOf(BadReferenceError).with.deep.property('names', ['nosuch']);
      });
    });
  }
});
