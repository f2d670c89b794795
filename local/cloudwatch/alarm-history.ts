import type { KeptAlarm } from "./kept-alarm.ts";

export type HistoryItem = {
  /** The alarm as it was before. */
  readonly alarm: KeptAlarm;
  readonly type: "StateUpdate" | "Action" | "ConfigurationUpdate";
  readonly summary: string;
  readonly data: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
};

export type AlarmHistory = {
  add(item: HistoryItem): void;
  /** Oldest first. */
  items(): readonly HistoryItem[];
};

/** AWS keeps 30 days; this many of the newest are enough for a run on one machine. */
const ITEMS_MAX = 1000;

export function createAlarmHistory(): AlarmHistory {
  const items: HistoryItem[] = [];
  return {
    add(item): void {
      items.push(item);
      if (items.length > ITEMS_MAX) items.shift();
    },
    items: () => items,
  };
}
