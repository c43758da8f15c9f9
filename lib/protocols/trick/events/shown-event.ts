// An event as the variables `trick_ip.mtv.mtv_list[i][0]` show it.
import { SHOWN_BYTES, type ShownEvent } from '../catalog/event-image.js';
import { EventPlace, TrickEvent, UNNAMED } from './event.js';
import { TICS_PER_SECOND } from './timing.js';

/**
 * What is shown in place of a deleted event with so many conditions and actions, which a viewer may still read. Trick:
 * MTV::dummy_event
 */
export function shownGone(conditions: number, actions: number): ShownEvent {
  const gone = new TrickEvent(UNNAMED);
  for (let index = 0; index < conditions; index++) gone.setCondition(index, '', '');
  for (let index = 0; index < actions; index++) gone.setAction(index, '', '');
  return { ...shownEvent(gone), condition_count: 0, action_count: 0 };
}

export function shownEvent(event: TrickEvent): ShownEvent {
  return {
    name: event.name,
    active: event.isActive,
    thread_id: event.threadId,
    before_after: event.target?.place ?? EventPlace.frame,
    cycle: event.cycleSeconds,
    cycle_tics: BigInt(Math.trunc(event.cycleSeconds * TICS_PER_SECOND)),
    free_on_removal: false,
    target_name: event.target?.job ?? '',
    target_inst: 1,
    added: event.isAdded,
    is_user_event: true,
    manual: event.isManual,
    manual_fired: event.isManuallyFired,
    cond_all: event.needsAll,
    fired: Number(event.hasFired),
    hold: Number(event.hold),
    ran: Number(event.hasRun),
    condition_count: event.conditions.length,
    fired_count: event.firedCount | 0,
    fired_time: event.firedSeconds,
    action_count: event.actions.length,
    ran_count: event.ranCount | 0,
    ran_time: event.ranSeconds,
    conditions: event.conditions.map(({ kind, text, comment, isEnabled, holds, hasFired, ...counts }) => ({
      enabled: Number(isEnabled),
      hold: Number(holds),
      fired: Number(hasFired),
      fired_count: counts.firedCount | 0,
      fired_time: counts.firedSeconds,
      str: beginning(text),
      comment: beginning(comment),
      cond_type: kind,
    })),
    actions: event.actions.map(({ kind, text, comment, isEnabled, hasRun, ranCount, ranSeconds }) => ({
      enabled: Number(isEnabled),
      ran: Number(hasRun),
      ran_count: ranCount | 0,
      ran_time: ranSeconds,
      str: beginning(text),
      comment: beginning(comment),
      act_type: kind,
    })),
  };
}

/** The beginning of a text; more of it would not be shown. */
const beginning = (text: string): string => text.slice(0, SHOWN_BYTES);
