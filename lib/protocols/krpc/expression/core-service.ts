// The service KRPC: the client, the services, streams, events, and the simulation's pause.
import { createHash } from 'node:crypto';
import { Mode } from '../../../model/frame/header.js';
import {
  type Caller,
  type Condition,
  invalidOperation,
  nullArgument,
  ofFrames,
  type Procedure,
  procedure,
  type Service,
} from '../service/procedure.js';
import {
  BOOL,
  BYTES,
  EVENT,
  enumerationOf,
  FLOAT,
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
import { valueIn } from './node.js';

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

const CLIENT: readonly Procedure[] = [
  procedure('GetClientID', 'The identifier of this client.', {}, { returns: BYTES, call: ({ id }) => id }),
  procedure('GetClientName', 'The name of this client.', {}, { returns: STRING, call: ({ name }) => name }),
  procedure(
    'GetStatus',
    'What the server has read, written and carried out, and how fast.',
    {},
    { returns: STATUS, call: ({ server }) => server.status() },
  ),
];

const STREAMS: readonly Procedure[] = [
  procedure(
    'AddStream',
    'Sends what a call gives whenever it has changed; equal calls of a client are one stream.',
    { call: PROCEDURE_CALL, start: { type: BOOL, byDefault: true } },
    {
      returns: STREAM,
      call: async ({ streams }, [call, start]) => ({ streamId: await streams.add(call as NamedCall, start === true) }),
    },
  ),
  procedure(
    'StartStream',
    'Starts a stream; its current value is sent, also when it was sent before.',
    { id: UINT64 },
    { call: ({ streams }, [id]) => void streams.start(Number(id)) },
  ),
  procedure(
    'SetStreamRate',
    'Sends a stream so many times a second at most, by the wall clock; 0 sends it at every tick.',
    { id: UINT64, rate: FLOAT },
    { call: ({ streams }, [id, rate]) => void streams.setRate(Number(id), rate as number) },
  ),
  procedure(
    'RemoveStream',
    'Ends a stream.',
    { id: UINT64 },
    { call: ({ streams }, [id]) => void streams.remove(Number(id)) },
  ),
  procedure(
    'AddEvent',
    'An event that happens in each frame in which an expression is true.',
    { expression: EXPRESSION },
    {
      returns: EVENT,
      call: ({ streams }, [expression]) => ({ streamId: streams.addEvent(conditionOf(expression)) }),
    },
  ),
];

function conditionOf(expression: KrpcValue | undefined): Condition {
  if (expression === null || expression === undefined) throw nullArgument('expression');
  const node = nodeIn(expression);
  if (node.asFunction || node.type.code !== TypeCode.bool)
    throw invalidOperation('an event needs an expression that is true or false');
  return { isMet: (frame) => valueIn(frame, node) as boolean | undefined };
}

/** A simulation has one scene. */
const scene = { returns: GAME_SCENE, call: () => SPACE_CENTER };

const PROPERTIES: readonly Procedure[] = [
  procedure(
    'get_Clients',
    'The clients that are connected: identifier, name and address of each. What stands for the identifier of another client connects no streams.',
    {},
    {
      returns: listOf(tupleOf(BYTES, STRING, STRING)),
      call: ({ id: own, server }) =>
        server.clients.map(({ id, name, address }) => [id === own ? id : likenessOf(id), name, address]),
    },
  ),
  procedure('get_GameScene', 'The game scene, which is always the same one.', {}, scene),
  procedure(
    'set_GameScene',
    'Does nothing for the scene that there is, and refuses others.',
    { value: GAME_SCENE },
    {
      isChange: true,
      call: (_, [value]) => {
        if (value !== SPACE_CENTER) throw invalidOperation('a simulation has one game scene');
        return undefined;
      },
    },
  ),
  procedure('get_CurrentGameScene', 'The game scene.', {}, { ...scene, deprecated: 'Use GameScene instead.' }),
  procedure(
    'get_Paused',
    'Whether the simulation is in freeze.',
    {},
    {
      returns: BOOL,
      watch: () => ofFrames(({ header }) => header.mode !== Mode.run && header.mode !== Mode.step),
    },
  ),
  procedure(
    'set_Paused',
    'Freezes the simulation, or lets it run.',
    { value: BOOL },
    {
      isChange: true,
      call: async ({ session }, [isPaused]) => {
        await session.submit({ kind: 'control', control: { action: isPaused ? 'freeze' : 'run' } });
        return undefined;
      },
    },
  ),
];

/** @param servicesBytes the bytes of the message Services. */
export function coreService(servicesBytes: (turn: Caller['turn']) => Promise<Uint8Array>): Service {
  const getServices = procedure(
    'GetServices',
    'All services, with their procedures, classes, enumerations and exceptions.',
    {},
    { returns: SERVICES, call: ({ turn }) => servicesBytes(turn) },
  );
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
