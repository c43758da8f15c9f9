// Tests of Bevy's methods a line each: a call, and its answer or its error. Names and entities are of the server of tests.
import { expect } from 'chai';
import type { TestBrp } from './brp-server.js';

export const POSITION = 'server::Position';
export const BODY = 'server::Body';
export const NAME = 'bevy_ecs::name::Name';
export const CHILD_OF = 'bevy_ecs::hierarchy::ChildOf';
export const CHILDREN = 'bevy_ecs::hierarchy::Children';
/** Entities of the two objects, in the numbering since 0.17 and in the one before. */
export const SHIP = 4294967294;
export const BOAT = 4294967293;
export const OLD_SHIP = 4294967297;
export const OLD_BOAT = 4294967298;
export const BODY_VALUE = {
  translation: [1, 2, 3],
  mode: 'POINTING',
  label: 'a',
  counts: [7],
  serial: 1152921504606847000,
};

export type BrpCall = [method: string, params?: unknown];

export interface BrpCases {
  /** A test that a call has an answer. */
  answers(name: string, call: BrpCall, expected: unknown): void;
  /** A test that a call is refused, with nothing but a code and a message. */
  refuses(name: string, call: BrpCall, code: number, message: string | RegExp): void;
}

/** @param brp the server, which is there when a test runs. */
export const casesOf = (brp: () => TestBrp): BrpCases => ({
  answers: (name, [method, params], expected) => {
    it(`${method}: ${name}`, async () => expect(await brp().call(method, params)).to.deep.equal(expected));
  },
  refuses: (name, [method, params], code, message) => {
    it(`${method} refuses ${name}`, async () => {
      const error = await brp().call(method, params);
      expect(error.code, JSON.stringify(error)).to.equal(code);
      if (typeof message === 'string') expect(error.message).to.equal(message);
      else expect(error.message).to.match(message);
      expect(error).to.have.all.keys('code', 'message');
    });
  },
});
