// docs/krpc.md: its command, its example, and that every name of its Python session exists.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandHere } from '../command-here.js';
import { ServerHere } from '../launch.js';
import { call, KrpcClient, readServices } from './client.js';
import { readDouble, readText, text } from './values.js';

const PAGE = readFileSync(new URL('../../../docs/krpc.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('documentation-example.mjs', import.meta.url));
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(PAGE)?.[1] ?? '';

/** As kRPC's Python client writes a name. */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

describe('docs/krpc.md', () => {
  let server: ServerHere | undefined;
  let child: ChildProcess | undefined;
  afterEach(async () => {
    await server?.stop();
    child?.kill();
    [server, child] = [undefined, undefined];
  });

  it('names a command that serves, and a session of names that exist', async () => {
    const [, file = '', options = ''] = /^varwire run (sims\/\w+) (--krpc) 50000$/m.exec(block('sh')) ?? [];
    server = await ServerHere.start(`${file}.js`, { options: ['--no-discovery', options, '0'] });
    const client = await KrpcClient.tcp(server.krpcPorts);
    const services = readServices(await client.call(call('KRPC', 'GetServices')));
    client.close();
    const members = new Map(
      services.map(({ name, procedures, classes }) => [
        snake(name),
        [...procedures.map((one) => snake(one.name.replace(/^(get|set)_/, ''))), ...classes.map((one) => one.name)],
      ]),
    );
    const session = block('python');
    const used = [...session.matchAll(/conn\.(ball|var_server|krpc)[.,] ?'?(\w+)/g)];
    expect(used.length).to.be.greaterThan(6);
    for (const [, service = '', member = ''] of used) expect(members.get(service), service).to.include(member);
    const ball = (services.find(({ name }) => name === 'Ball')?.procedures ?? []).map(({ name }) => snake(name));
    for (const [, member] of session.matchAll(/^(?:print\()?ball\.(\w+)/gm))
      expect(ball).to.include(`ball_object_get_${member}`);
    const core = (services[0]?.procedures ?? []).map(({ name }) => snake(name));
    for (const [, member] of session.matchAll(/expression\.(\w+)\(/g))
      expect(core).to.include(`expression_static_${member}`);
  });

  it('names a command that writes definitions of the services that it generates', async () => {
    const commands = [...PAGE.matchAll(/^varwire (krpc-definitions .*) > (.*)$/gm)];
    expect(commands).to.have.length(1);
    const [[, words = '', file = ''] = []] = commands;
    // Compiled: a file of TypeScript would make every later import of this process slow.
    const { code, output } = await commandHere(words.replace('sims/ball', 'build/sims/ball.js').split(' '));
    expect(code).to.equal(0);
    const generated = [...PAGE.matchAll(/^krpc-clientgen cpp (\w+) (\S+) -o /gm)];
    expect(generated.map(([, service]) => service)).to.deep.equal(['Ball', 'VarServer']);
    expect(JSON.parse(output)).to.include.keys('Ball', 'VarServer');
    for (const [, , named] of generated) expect(named).to.equal(file);
  });

  it('has an example of a service that runs', async () => {
    const example = block('js').replace('krpc: 50_000', "port: 0, discovery: false, krpc: 0, runDirectory: '/tmp'");
    const tell = "\nconsole.log(server.endpoints.map(({ name, port }) => name + ' ' + port).join());";
    // In a file below the package, so that it finds the package by its name.
    writeFileSync(EXAMPLE, example + tell);
    child = spawn(process.execPath, [EXAMPLE], { cwd: ROOT });
    const [told] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const portOf = (name: string): number => Number(new RegExp(`${name} (\\d+)`).exec(told.toString())?.[1]);
    const client = await KrpcClient.tcp({ rpc: portOf('krpc'), stream: portOf('krpc-stream') }, 'Val');
    expect(readText(await client.call(call('Greetings', 'Hello')))).to.equal('Hello you, from Val');
    expect(readText(await client.call(call('Greetings', 'Hello', text('Bob'))))).to.equal('Hello Bob, from Val');
    const id = await client.addStream(call('Greetings', 'get_Seconds'));
    expect(readDouble((await client.until(id)).value)).to.be.greaterThan(0);
    client.close();
  });
});
