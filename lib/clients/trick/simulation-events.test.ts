// Events of a simulation, from the variables of its viewer.
import { expect } from 'chai';
import { simulationEvents } from './simulation-events.js';

const EVENT = 'trick_ip.mtv.mtv_list[1][0]';
const HELD: Readonly<Record<string, unknown>> = {
  'trick_ip.mtv.mtv_count': 2,
  'trick_ip.mtv.mtv_update_ticker': 7,
  'trick_sys.sched.time_tics': 100_000_000n,
  'trick_sys.sched.time_tic_value': 1_000_000,
  'trick_ip.mtv.mtv_list[0][0].name': 'no_name_specified',
  'trick_ip.mtv.mtv_list[0][0].condition_count': 3,
  ...Object.fromEntries(
    Object.entries({
      ...{
        name: 'low',
        active: true,
        added: false,
        manual: true,
        manual_fired: false,
        cycle: 0.5,
        cond_all: 1,
        hold: 0,
      },
      ...{ before_after: 2, target_name: 'fx.move', condition_count: 1, action_count: 1 },
      ...{ fired_count: 3, fired_time: 1_230_000, ran_count: 2, ran_time: -1 },
      ...{
        'condition_list[0][0].str': 'x < 0',
        'condition_list[0][0].comment': 'low',
        'condition_list[0][0].enabled': 1,
      },
      ...{ 'condition_list[0][0].hold': 0, 'condition_list[0][0].fired': 1, 'condition_list[0][0].fired_count': 3 },
      ...{ 'condition_list[0][0].fired_time': 1.23, 'action_list[0][0].str': 'x = 1', 'action_list[0][0].comment': '' },
      ...{ 'action_list[0][0].enabled': 0, 'action_list[0][0].ran': 0, 'action_list[0][0].ran_count': 2 },
      ...{ 'action_list[0][0].ran_time': -1 },
    }).map(([name, value]) => [`${EVENT}.${name}`, value]),
  ),
};

it('events of a simulation are those that have not been deleted, with times in seconds where Trick has tics', async () => {
  const asked: string[] = [];
  const { ticker, events } = await simulationEvents(async (names) => {
    asked.push(...names);
    return names.map((name) => HELD[name]);
  });
  expect(ticker).to.equal(7);
  expect(asked.filter((name) => name.includes('mtv_list[0][0].condition_list'))).to.deep.equal([]);
  expect(events).to.deep.equal([
    {
      ...{ name: 'low', isActive: true, isAdded: false, isManual: true, isManuallyFired: false, cycleSeconds: 0.5 },
      ...{ needsAll: true, hold: false, target: { job: 'fx.move', place: 2 } },
      ...{ firedCount: 3, firedSeconds: 1.23, ranCount: 2, ranSeconds: -1 },
      conditions: [
        {
          ...{ text: 'x < 0', comment: 'low', isEnabled: true, holds: false, hasFired: true },
          ...{ firedCount: 3, firedSeconds: 1.23 },
        },
      ],
      actions: [{ text: 'x = 1', comment: '', isEnabled: false, hasRun: false, ranCount: 2, ranSeconds: -1 }],
    },
  ]);
});
