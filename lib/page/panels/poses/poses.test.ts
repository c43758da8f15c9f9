import { expect } from 'chai';
import { type ElementReader, type Place, placesOf, seenFrom, turned } from './frames.js';
import { elementsOf } from './pose-values.js';
import { MOST_POSES, type Pose, sceneOf } from './poses.js';

const HALF = Math.SQRT1_2;
const given = (name: string, parent: string | null = null, more: object = {}): object => ({
  name,
  parent,
  position: `${name}.position`,
  positionUnits: 'm',
  attitude: `${name}.attitude`,
  shape: null,
  body: null,
  ...more,
});
const reading =
  (values: Readonly<Record<string, readonly number[]>>): ElementReader =>
  (path, element) =>
    values[path]?.[element] ?? Number.NaN;
const near = (found: readonly number[] | undefined, wanted: readonly number[]): void => {
  expect(found).to.have.length(wanted.length);
  for (const [k, value] of wanted.entries()) expect(found?.[k]).to.be.closeTo(value, 1e-9);
};

describe('the poses of a scene', () => {
  it('turn by their quaternion from their own axes to those of their parent', () => {
    // A quarter turn about z: the x axis of the pose is the y axis of its parent.
    near(turned([HALF, 0, 0, HALF], [1, 0, 0]), [0, 1, 0]);
    near(turned([HALF, HALF, 0, 0], [0, 1, 0]), [0, 0, 1]);
  });

  it('stand on each other, in doubles however far from the origin', () => {
    const { poses } = sceneOf({ poses: [given('hand', 'arm'), given('arm', 'ship'), given('ship')] });
    expect(poses.map(({ name, parent }) => [name, parent])).to.deep.equal([
      ['ship', undefined],
      ['arm', 0],
      ['hand', 1],
    ]);
    const values = {
      'ship.position': [7e6, 0, 0.001],
      'ship.attitude': [HALF, 0, 0, HALF],
      'arm.position': [2, 0, 0],
      'arm.attitude': [2, 2, 0, 0],
      'hand.position': [0, 3, 0],
      'hand.attitude': [1, 0, 0, 0],
    };
    const [, arm, hand] = placesOf(poses, reading(values)) as Place[];
    near(arm?.position, [7e6, 2, 0.001]);
    // Along the arm's y axis: up, as the arm is turned about its x axis.
    near(hand?.position, [7e6, 2, 3.001]);
    near(seenFrom(arm as Place, hand?.position as Place['position']), [0, 3, 0]);
  });

  it('have no place without finite numbers and a direction, and nor has what stands on them', () => {
    const { poses } = sceneOf({ poses: [given('ship'), given('arm', 'ship'), given('buoy')] });
    const whole = {
      'ship.position': [1, 2, 3],
      'ship.attitude': [1, 0, 0, 0],
      'arm.position': [1, 0, 0],
      'arm.attitude': [1, 0, 0, 0],
      'buoy.position': [0, 0, 0],
      'buoy.attitude': [1, 0, 0, 0],
    };
    const hasPlaces = (values: typeof whole): boolean[] => placesOf(poses, reading(values)).map((place) => !!place);
    expect(hasPlaces(whole)).to.deep.equal([true, true, true]);
    for (const wrong of [
      { 'ship.position': [1, Number.NaN, 3] },
      { 'ship.position': [1, 2] },
      { 'ship.position': [1e308, 1e308, Number.POSITIVE_INFINITY] },
      { 'ship.attitude': [0, 0, 0, 0] },
      { 'ship.attitude': [1, 0, 0, Number.NaN] },
    ])
      expect(hasPlaces({ ...whole, ...wrong }), JSON.stringify(wrong)).to.deep.equal([false, false, true]);
  });

  it('are made of anything, without circles, and without parents that are not there', () => {
    for (const answer of [undefined, null, 7, [], { poses: 3 }, { poses: [null, {}, { name: 'a' }] }])
      expect(sceneOf(answer).poses).to.deep.equal([]);
    const { poses, faults } = sceneOf({
      poses: [given('a', 'b'), given('b', 'a'), given('c', 'a'), given('d', 'gone'), given('e', 'e'), given('f')],
    });
    expect(poses.map(({ name }) => name)).to.deep.equal(['f']);
    expect(faults).to.deep.equal([
      'a has itself among its parents',
      'b has itself among its parents',
      'c has itself among its parents',
      'd has no place, because there is no pose gone',
      'e has itself among its parents',
    ]);
    const many = sceneOf({ poses: Array.from({ length: MOST_POSES + 7 }, (_, k) => given(`p${k}`)) });
    expect([many.poses.length, many.faults]).to.deep.equal([MOST_POSES, ['7 of 1007 poses are left out']]);
    const shape = (value: unknown): Pose['shape'] =>
      sceneOf({ poses: [given('a', null, { shape: value })] }).poses[0]?.shape;
    expect(shape({ kind: 'box', size: [1, 2, 3], color: '#123456' })).to.deep.include({
      kind: 'box',
      color: '#123456',
    });
    for (const wrong of [{ kind: 'box', size: [1, 2] }, { kind: 'sphere', radius: -1 }, { kind: 'cone' }, 'box'])
      expect(shape(wrong)).to.equal(undefined);
  });

  it('have their past looked for by their elements, with those of their parents, as many as are kept', () => {
    const { poses } = sceneOf({
      poses: [
        given('ship', null, { positionUnits: 'km' }),
        ...Array.from({ length: 50 }, (_, k) => given(`p${k}`, 'ship')),
      ],
    });
    const found = elementsOf(poses, [3, 1, 2, ...poses.keys()]);
    expect(found).to.have.length(140);
    expect(found.slice(0, 3).map(({ alias }) => alias)).to.deep.equal([
      'ship.position[0]',
      'ship.position[1]',
      'ship.position[2]',
    ]);
    expect(found.slice(0, 14)).to.deep.include({ alias: 'ship.position[0]', units: 'm' });
    expect(found.slice(14).some(({ alias }) => alias.startsWith('ship'))).to.equal(false);
  });
});
