import { seeded } from "../../lambdas/core/seeded.ts";

// Makes the event file of the demo game; run it again to get the same file:
//   node local/demo/make-events.ts > local/events/game.ndjson

const SEED = 20_261_201;
const KEYS = 500;
const EVENTS = 2000;
const FLAKY = 40;
const MISSING_ITEM = 6;

/** Names in scripts that need one to four bytes a character, with and without combining marks. */
const NAMES = [
  ["Aria", "Bjørn", "Chloé", "Dmitri", "Élodie", "Zoë", "Niño", "Nin\u0303o"],
  ["王小明", "李雷", "さくら", "たけし", "민준", "서연"],
  ["محمد", "ليلى", "דוד", "שרה"],
  ["Алёша", "Ольга", "Ιωάννης", "Ελένη"],
  ["आरव", "प्रिया", "กานต์", "தமிழ்"],
  ["🐉slayer", "👩‍🚀", "𝒩ova", "★彡"],
].flat();

type Payload = Readonly<Record<string, unknown>>;
type Event = { readonly id: string; readonly key: string; payload: Payload };

function makeEvents(): readonly Event[] {
  const random = seeded(SEED);
  const below = (bound: number): number => Math.floor(random() * bound);
  const keys = Array.from({ length: KEYS }, (_, n) => {
    const kind = n % 10 === 0 ? "guild" : "player";
    return `${kind}:${NAMES[below(NAMES.length)]}#${n}`;
  });
  // Every wallet begins with more than all its later events can spend.
  const first = keys.map(
    (key): Omit<Event, "id"> => ({
      key,
      payload: { type: "credit", amount: 10_000 },
    }),
  );
  const later = Array.from({ length: EVENTS - KEYS }, (): Omit<Event, "id"> => {
    const key = keys[below(KEYS)] ?? "";
    const kind = random();
    if (kind < 0.45) return { key, payload: { type: "credit", amount: 1 + below(100) } };
    if (kind < 0.8) return { key, payload: { type: "debit", amount: 1 + below(20) } };
    const item = ["potion", "shield", "banner"][below(3)];
    return { key, payload: { type: "purchase", item } };
  });
  const events = [...first, ...later].map((event, n) => ({
    id: `event-${String(n).padStart(4, "0")}`,
    ...event,
  }));
  plantFaults(events.slice(KEYS), below);
  return events;
}

/** Faults are data, honoured by the demo's handler only (faulty-wallet.ts). */
function plantFaults(events: readonly Event[], below: (bound: number) => number): void {
  const free = new Set(events);
  const plant = (payload: (event: Event) => Payload): void => {
    const rest = [...free];
    const event = rest[below(rest.length)];
    if (event === undefined) return;
    free.delete(event);
    event.payload = payload(event);
  };
  plant(({ payload }) => ({ ...payload, demo: "kills" }));
  for (let n = 0; n < MISSING_ITEM; n += 1) {
    plant(() => ({ type: "purchase", item: "phoenix" }));
  }
  for (let n = 0; n < FLAKY; n += 1) {
    plant(({ payload }) => ({ ...payload, demo: `flaky:${1 + below(2)}` }));
  }
}

process.stdout.write(
  `${makeEvents()
    .map((event) => JSON.stringify(event))
    .join("\n")}\n`,
);
