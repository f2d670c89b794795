import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConcurrency, ThrottledError } from "../../../local/lambda/concurrency.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("concurrency", () => {
  it("admits as many as there are slots, and the others in the order they came", async () => {
    const concurrency = createConcurrency(1);
    const release = await concurrency.acquire(0);
    const admitted: string[] = [];
    const second = concurrency.acquire(1000).then((free) => {
      admitted.push("second");
      return free;
    });
    const third = concurrency.acquire(1000).then(() => admitted.push("third"));
    release();
    release();
    const freeSecond = await second;
    expect(admitted).toEqual(["second"]);
    freeSecond();
    await third;
    expect(admitted).toEqual(["second", "third"]);
  });

  it("turns away who waited long enough, and gives the slot to the next", async () => {
    const concurrency = createConcurrency(1);
    const release = await concurrency.acquire(0);
    const refused = expect(concurrency.acquire(1000)).rejects.toThrow(ThrottledError);
    const patient = concurrency.acquire(5000);
    await vi.advanceTimersByTimeAsync(1000);
    await refused;
    release();
    await expect(patient).resolves.toBeTypeOf("function");
  });

  it("closes by turning away all who wait, and is closed when the last slot is free", async () => {
    const concurrency = createConcurrency(1);
    const release = await concurrency.acquire(0);
    const waiting = expect(concurrency.acquire(1000)).rejects.toThrow("Lambda is stopping");
    let closed = false;
    const closing = concurrency.close().then(() => {
      closed = true;
    });
    await waiting;
    await expect(concurrency.acquire(0)).rejects.toThrow("Lambda is stopping");
    expect(closed).toBe(false);
    release();
    await closing;
  });
});
