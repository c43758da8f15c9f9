// The service KRPC: the client, the services, streams, events, and the simulation's pause.
import { createHash } from 'node:crypto';
import { Mode } from '../../../model/frame/header.js';
import {
  type Caller,
  type Condition,
  invalidOperation,
  nullArgument,
  type Parameter,
  type Procedure,
  type Service,
} from '../service/procedure.js';
import {
  BOOL,
  BYTES,
  EVENT,
  enumerationOf,
  FLOAT,
  type KrpcType,
  type KrpcValue,
  listOf,
  type NamedCall,
  PROCEDURE_CALL,
  SERVICES,
  STATUS,
  STREAM,
  STRING,
  TypeCode,
  tupleOf,
  UINT64,
} from '../values/type.js';
import { EXPRESSION, expressionProcedures, nodeIn } from './expression-service.js';
import { Watched } from './node.js';

const GAME_SCENE = enumerationOf('KRPC', 'GameScene');
/** A simulation has no scenes; kRPC's own test server is in this one. */
const SPACE_CENTER = 0;
const SCENES = ['SpaceCenter', 'Flight', 'TrackingStation', 'EditorVAB', 'EditorSPH', 'MissionBuilder'];

const EXCEPTIONS: Readonly<Record<string, string>> = {
  InvalidOperationException: 'It cannot be done now.',
  ArgumentException: 'An argument is not valid.',
  ArgumentNullException: 'An argument is null that cannot be.',
  ArgumentOutOfRangeException: 'An argument lies outside of its range.',
};

/** Tells clients apart; who knows it cannot take their streams, for which a client is asked its identifier. */
const likenessOf = (id: Uint8Array): Uint8Array => createHash('sha256').update(id).digest().subarray(0, id.length);

const streamId: Parameter = { name: 'id', type: UINT64 };
const idOf = (value: KrpcValue | undefined): number => Number(value);

const CLIENT: readonly Procedure[] = [
  {
    name: 'GetClientID',
    about: 'The identifier of this client.',
    parameters: [],
    returns: BYTES,
    call: ({ id }) => id,
  },
  {
    name: 'GetClientName',
    about: 'The name of this client.',
    parameters: [],
    returns: STRING,
    call: ({ name }) => name,
  },
  {
    name: 'GetStatus',
    about: 'What the server has read, written and carried out, and how fast.',
    parameters: [],
    returns: STATUS,
    call: ({ server }) => server.status(),
  },
];

const STREAMS: readonly Procedure[] = [
  {
    name: 'AddStream',
    about: 'Sends what a call gives whenever it has changed; equal calls of a client are one stream.',
    parameters: [
      { name: 'call', type: PROCEDURE_CALL },
      { name: 'start', type: BOOL, byDefault: true },
    ],
    returns: STREAM,
    call: async ({ streams }, [call, start]) => ({ streamId: await streams.add(call as NamedCall, start === true) }),
  },
  {
    name: 'StartStream',
    about: 'Starts a stream; its current value is sent, also when it was sent before.',
    parameters: [streamId],
    call: ({ streams }, [id]) => void streams.start(idOf(id)),
  },
  {
    name: 'SetStreamRate',
    about: 'Sends a stream so many times a second at most, by the wall clock; 0 sends it at every tick.',
    parameters: [streamId, { name: 'rate', type: FLOAT }],
    call: ({ streams }, [id, rate]) => void streams.setRate(idOf(id), rate as number),
  },
  {
    name: 'RemoveStream',
    about: 'Ends a stream.',
    parameters: [streamId],
    call: ({ streams }, [id]) => void streams.remove(idOf(id)),
  },
  {
    name: 'AddEvent',
    about: 'An event that happens in each frame in which an expression is true.',
    parameters: [{ name: 'expression', type: EXPRESSION }],
    returns: EVENT,
    call: ({ streams }, [expression]) => ({ streamId: streams.addEvent(conditionOf(expression)) }),
  },
];

function conditionOf(expression: KrpcValue | undefined): Condition {
  if (expression === null || expression === undefined) throw nullArgument('expression');
  const node = nodeIn(expression);
  if (node.asFunction || node.type.code !== TypeCode.bool)
    throw invalidOperation('an event needs an expression that is true or false');
  const watched = new Watched(node);
  return { isMet: (frame) => watched.evaluate(frame) as boolean | undefined };
}

const property = (
  name: string,
  about: string,
  returns: KrpcType,
  call: Extract<Procedure, { call: unknown }>['call'],
): Procedure => ({
  name: `get_${name}`,
  about,
  parameters: [],
  returns,
  call,
});

const PROPERTIES: readonly Procedure[] = [
  property(
    'Clients',
    'The clients that are connected: identifier, name and address of each. What stands for the identifier of another client connects no streams.',
    listOf(tupleOf(BYTES, STRING, STRING)),
    ({ id: own, server }) =>
      server.clients.map(({ id, name, address }) => [id === own ? id : likenessOf(id), name, address]),
  ),
  property('GameScene', 'The game scene, which is always the same one.', GAME_SCENE, () => SPACE_CENTER),
  {
    name: 'set_GameScene',
    about: 'Does nothing for the scene that there is, and refuses others.',
    parameters: [{ name: 'value', type: GAME_SCENE }],
    isChange: true,
    call: (_, [scene]) => {
      if (scene !== SPACE_CENTER) throw invalidOperation('a simulation has one game scene');
      return undefined;
    },
  },
  {
    ...property('CurrentGameScene', 'The game scene.', GAME_SCENE, () => SPACE_CENTER),
    deprecated: 'Use GameScene instead.',
  },
  {
    name: 'get_Paused',
    about: 'Whether the simulation is in freeze.',
    parameters: [],
    returns: BOOL,
    watch: () => ({
      shown: [],
      valueCount: 1,
      read: ({ header }) => header.mode !== Mode.run && header.mode !== Mode.step,
    }),
  },
  {
    name: 'set_Paused',
    about: 'Freezes the simulation, or lets it run.',
    parameters: [{ name: 'value', type: BOOL }],
    isChange: true,
    call: async ({ session }, [isPaused]) => {
      await session.submit({ kind: 'control', control: { action: isPaused ? 'freeze' : 'run' } });
      return undefined;
    },
  },
];

/** @param servicesBytes the bytes of the message Services. */
export function coreService(servicesBytes: (turn: Caller['turn']) => Promise<Uint8Array>): Service {
  const getServices: Procedure = {
    name: 'GetServices',
    about: 'All services, with their procedures, classes, enumerations and exceptions.',
    parameters: [],
    returns: SERVICES,
    call: ({ turn }) => servicesBytes(turn),
  };
  return {
    name: 'KRPC',
    about: 'The server itself: clients, services, streams and events.',
    procedures: [...CLIENT, getServices, ...STREAMS, ...PROPERTIES, ...expressionProcedures],
    classes: [
      { name: 'Expression', about: 'A value that the server works out in each frame.' },
      { name: 'Type', about: 'A type, for expressions.' },
    ],
    enumerations: [
      {
        name: 'GameScene',
        about: 'The scenes of the game that kRPC was made for.',
        values: SCENES.map((name, value) => ({ name, about: '', value })),
      },
    ],
    exceptions: Object.entries(EXCEPTIONS).map(([name, about]) => ({ name, about })),
  };
}
