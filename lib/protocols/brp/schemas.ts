// Schemas that several methods share; rpc.discover shows them.
import { z } from 'zod';
import { byAlias } from '../json-rpc/schemas.js';
import { ENTITY } from './type-schema.js';

/** The most entities that one request may name in one place. */
const MOST_ENTITIES = 10_000;
/** The most types: each is looked up when the request comes, and in the rows of a query for each entity. */
const MOST_TYPES = 500;
const LONGEST_NAME = 4096;

export const typePath = z
  .string()
  .max(LONGEST_NAME, { error: `expected at most ${LONGEST_NAME} characters` })
  .describe('Type path, or a short name that only one type has: ball::Body or Body');
export const typePaths = z
  .array(typePath)
  .max(MOST_TYPES, { error: `expected at most ${MOST_TYPES} of them` })
  .describe('Type paths of components');
export const entity = z
  .union([z.number(), z.string().max(64)], { error: 'expected an entity' })
  .meta({ typePath: ENTITY, description: 'Number of an entity, or its text such as 5v0' });
/** An entity in an answer. */
export const entityNumber = z.number().meta({ typePath: ENTITY });
export const entities = z.array(entity).max(MOST_ENTITIES, { error: `expected at most ${MOST_ENTITIES} of them` });
export const anyValue = z.unknown().describe('A value as world.get_components shows it');
export const valuesByPath = byAlias(z.unknown()).describe('Values by type path');
export const reflectPath = z.string().max(LONGEST_NAME).describe('Path inside the value: .position[1]; empty for all');
export const nothing = z.null();
