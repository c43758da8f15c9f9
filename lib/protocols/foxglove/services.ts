// Services: what clients may call. The functions of the simulation, and its control.
import type { Source } from '../../source/source.js';
import { requestSchema, responseSchema } from './json-schema.js';

interface Message {
  readonly encoding: 'json';
  readonly schemaName: string;
  readonly schemaEncoding: 'jsonschema';
  readonly schema: string;
}

/** As `advertiseServices` tells it; JSON has no functions. */
export interface Service {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly request: Message;
  readonly response: Message;
}

/** A call of a method that carries a service out. */
export interface Call {
  readonly method: string;
  readonly params: object;
}

interface Known extends Service {
  readonly call: (given: object) => Call;
  /** What of the method's result is answered. */
  readonly answer: (result: unknown) => object;
}

const messageOf = (schemaName: string, schema: object): Message => ({
  encoding: 'json',
  schemaName,
  schemaEncoding: 'jsonschema',
  schema: JSON.stringify(schema),
});

const NO_FIELDS = { type: 'object', properties: {} };
const STEPS = {
  type: 'object',
  properties: { frames: { type: 'integer', minimum: 1, description: 'how many ticks; 1 when left out' } },
};

const CONTROLS = [
  { action: 'run', takes: NO_FIELDS },
  { action: 'freeze', takes: NO_FIELDS },
  { action: 'step', takes: STEPS },
] as const;

/** Objects and functions have no slash in their names. */
const CONTROL = '/sim/';

/** The services of all clients; an id is never used again for another one. */
export class Services {
  private nextId = 1;
  private version = -1;
  private known: ReadonlyMap<number, Known> = new Map();

  constructor(private readonly source: Pick<Source, 'catalog' | 'abilities'>) {}

  get all(): ReadonlyMap<number, Known> {
    const { catalog, abilities } = this.source;
    if (catalog.version === this.version) return this.known;
    const controls = abilities.control || abilities.playback ? CONTROLS : [];
    const services = [
      ...controls
        .filter(({ action }) => abilities.control || action !== 'step')
        .map(({ action, takes }) =>
          this.service(`${CONTROL}${action}`, takes, NO_FIELDS, {
            call: (given) => ({ method: 'sim/control', params: { ...given, action } }),
            answer: () => ({}),
          }),
        ),
      ...[...catalog.functions.values()].map((callable) =>
        this.service(`/${callable.name}`, requestSchema(callable), responseSchema(callable), {
          call: (given) => ({
            method: 'sim/call',
            params: { name: callable.name, arguments: callable.takes ? given : [] },
          }),
          answer: (result) => ({ value: (result as { value: unknown }).value }),
        }),
      ),
    ];
    this.version = catalog.version;
    this.known = new Map(services.map((service) => [service.id, service]));
    return this.known;
  }

  private service(name: string, request: object, response: object, does: Pick<Known, 'call' | 'answer'>): Known {
    const type = name.slice(1);
    const messages = {
      request: messageOf(`${type}.Request`, request),
      response: messageOf(`${type}.Response`, response),
    };
    const isSame = (one: Service): boolean =>
      one.name === name &&
      one.request.schema === messages.request.schema &&
      one.response.schema === messages.response.schema;
    const id = [...this.known.values()].find(isSame)?.id ?? this.nextId++;
    return { id, name, type, ...messages, ...does };
  }
}
