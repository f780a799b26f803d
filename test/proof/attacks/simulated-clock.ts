/** Clock of this process, which only a replay moves. Durations of requests are still real. */

const RealDate = Date;

let nowMs: number | undefined;

const readClock = (): number => nowMs ?? RealDate.now();

class SimulatedDate extends RealDate {
  constructor(...given: [] | [number | string]) {
    if (given.length > 0) super(...(given as [number]));
    else super(readClock());
  }

  static override now(): number {
    return readClock();
  }
}

/** Sets the time of this process, in milliseconds since 1970; undefined: the machine's time. */
export const setClock = (ms: number | undefined): void => {
  nowMs = ms;
  globalThis.Date = ms === undefined ? RealDate : (SimulatedDate as DateConstructor);
};

export { readClock };
