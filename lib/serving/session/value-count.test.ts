// How many values a variable counts as, with those behind its pointers.
import { expect } from 'chai';
import { double, pointer, struct, text } from '../../model/state/declare.js';
import { TestBall } from '../../testing/aids/http-ball.js';
import { pointAt } from '../../testing/aids/point-at.js';
import { Reference } from './reference.js';
import { valuesOf, valuesPerSecond, valuesShownIn } from './value-count.js';

const LINK = struct('Link', { far: pointer(double()), near: double(2) });

describe('the count of values', () => {
  it('has those behind pointers as they are in a frame, and one for a pointer that is null', () => {
    const ball = new TestBall((state) => {
      const owner = state.addObject('owner');
      owner.component('p', pointer(double()));
      owner.component('link', LINK);
      state.addObject('target').component('v', double(700));
    });
    const references = ['owner.p', 'owner.link', 'ball.position'].map((alias) => new Reference(ball, alias));
    const counts = (): number[] => {
      ball.ticks(1);
      return references.map((reference) => valuesShownIn(ball.frame, [reference]));
    };
    expect(counts()).to.deep.equal([1, 3, 2]);
    pointAt(ball, 'owner.p', 'target.v', 700);
    pointAt(ball, 'owner.link.far', 'target.v', 10);
    expect(counts()).to.deep.equal([700, 12, 2]);
    expect(valuesOf(references)).to.equal(6);
  });

  it('has a text with eight bytes as one value', () => {
    const ball = new TestBall((state) => {
      const owner = state.addObject('owner');
      owner.component('name', text(800));
      owner.component('id', text(7));
    });
    const counts = ['owner.name', 'owner.id'].map((alias) => valuesOf([new Reference(ball, alias)]));
    // The length of a text takes four bytes more.
    expect(counts).to.deep.equal([101, 2]);
  });

  it('a second has a slow cycle as one of 20 ms', () => {
    expect([10, 20, 1000].map((cycleMillis) => valuesPerSecond(3, cycleMillis))).to.deep.equal([300, 150, 150]);
  });
});
