// What NASA's suite for events expects of its events, on a simulation with the variables and jobs of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runHere } from './run-here.js';

const SIMULATION = fileURLToPath(new URL('./fixture/events.js', import.meta.url));

/** The events by name: how each is made, and what happens to it on the way. Each adds to its own number. */
const EVENTS: Readonly<Record<string, string>> = {
  event1: `event1.condition(0, "ev.cond_var_true == True")
event1.action(1, "event1.activate()")`,
  event2: `event2.condition_var(0, "ev.cond_var_true")
event2.action(1, "event2.activate()")`,
  event3: `event3.condition_var(0, "ev.cond_var_true")
event3.action(1, "event3.activate()")
trick.add_read(2.0, """event3.condition(0, "False")""")
trick.add_read(2.0, """event3.action(0, "result['event3'] += 5")""")
trick.add_read(4.0, """event3.condition_var(0, "ev.cond_var_true")""")`,
  event4: `event4.condition_var(0, "ev.cond_var_true")
event4.action(1, "event4.activate()")
trick.add_read(2.0, """trick.delete_event(event4)
result["deleted"] = trick.get_event("event4") == None""")
trick.add_read(4.0, """event4.set_cycle(0.1)
trick.add_event(event4)
result["back"] = trick.get_event("event4") != None""")`,
  event5: `event5.condition(0, "trick.exec_get_sim_time() == 1.0")
event5.condition_hold_on(0)
event5.action(1, "event5.activate()")
trick.add_read(4.0, "event5.condition_hold_off(0)")`,
  event6: `event6.condition_job(0, "ev.cond_job_true")
event6.action(1, "event6.activate()")
trick.add_read(3.0, "event6.action_disable(1)")`,
  event7: `event7.condition_var(0, "ev.cond_var_true")
event7.condition_var(1, "ev.cond_var_false")
event7.condition_all()
event7.action(1, "event7.activate()")
trick.add_read(4.0, "event7.condition_disable(1)")`,
  event8: `event8.condition(0, "trick.exec_get_sim_time() == 2.0")
event8.condition(1, "trick.exec_get_sim_time() == 4.0")
event8.condition_any()
event8.action(0, "result['event8'] = ev.count")
event8.action(1, "event8.activate()")
event8.action_job_off(2, "ev.sched_count")`,
  event9: `event9.condition(0, "trick.exec_get_sim_time() == 5.0")
for number in range(4):
    event9.action_job(number, "ev.sched_count")
event9.action(4, "result['event9'] = ev.count")`,
  manual10: `manual10.condition(0, "False")
manual10.manual_on()`,
  manual11: `manual11.condition(0, "True")
manual11.action(1, "manual11.activate()")
manual11.manual_off()
trick.add_read(4.0, "manual11.manual_done()")`,
  manual12: `manual12.action(0, "result['manual12'] = trick.exec_get_sim_time()")
trick.add_read(3.5, "manual12.manual_fire()")`,
};

const made = (name: string): string => `${name} = trick.new_event("${name}")
result["${name}"] = 0
${name}.action(0, "result['${name}'] += 1")
${EVENTS[name]}
${name}.set_cycle(1.0)
${name}.activate()
${name === 'event2' ? 'trick.add_event_after(event2, "ev.sched")' : `trick.add_event(${name})`}
`;

const INPUT = `
from trick.unit_test import *
trick_utest.unit_tests.enable()
trick_utest.unit_tests.set_file_name( os.getenv("TRICK_HOME") + "/trick_test/SIM_events.xml" )
trick_utest.unit_tests.set_test_name( "EventsTest" )
from array import array
order = array('f', [1, 2])
trick.real_time_disable()
trick.exec_set_software_frame(0.1)
trick.exec_set_enable_freeze(True)
trick.remove_all_external_applications()
trick.stop(5)
result = {'event0': 0}
trick.add_event(ev.event0)
${Object.keys(EVENTS).map(made).join('')}
order.append(3)
shown = trick.new_event("shown")
shown.condition(0, "True")
shown.action(0, """
TRICK_EXPECT_EQ(len(order), 3, "events", "order")
TRICK_EXPECT_EQ(result["event1"], 7, "events", "wrong on purpose")
print('RESULT', result)
""")
shown.activate()
trick.add_event_after(shown, "ev.shutdown")
`;

describe("NASA's suite for events", () => {
  it('finds its counts', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-events-'));
    mkdirSync(join(directory, 'RUN_test'));
    writeFileSync(join(directory, 'RUN_test', 'unit_test.py'), INPUT);
    const args = ['--no-discovery', '--port', '0', '--input', 'RUN_test/unit_test.py'];
    const { log } = await runHere(SIMULATION, args, directory);
    rmSync(directory, { recursive: true });
    const [, shown = '{}'] = /RESULT (\{.*\})/.exec(log) ?? [];
    const result = JSON.parse(shown.replaceAll("'", '"').replaceAll('True', 'true').replaceAll('False', 'false'));
    expect(result, log).to.deep.equal({
      event0: 1,
      event1: 6,
      event2: 11,
      event3: 12,
      event4: 12,
      deleted: true,
      back: true,
      event5: 3,
      event6: 4,
      event7: 2,
      event8: 2,
      event9: 6,
      manual10: 6,
      manual11: 2,
      manual12: 3.5,
    });
    expect(log.match(/TRICK_EXPECT_EQ failed/g)).to.have.length(1);
    expect(log).to.contain('TRICK_EXPECT_EQ failed in events wrong on purpose: 6, 7');
    expect(log.match(/counted to two/g), log).to.have.length(7);
    expect(log.match(/told at/g)).to.have.length(7);
    expect(log.match(/RESULT/g)).to.have.length(1);
    expect(log.match(/I am in init/g)).to.have.length(1);
    expect(log.match(/I am in sched/g)).to.have.length(11);
    expect(log.match(/I am in shutdown/g)).to.have.length(1);
  });
});
