import { minuteMs } from '../../../shared/util/duration.ts';

const secondMs = 1000;

const describeTime = (ms: number): string =>
  ms < minuteMs ? `${ms / secondMs} s` : `${Math.round(ms / minuteMs)} min`;

/** The wait ended before the rules had decided. The result is not final, so that the command ends with 3. */
export class StillWaitingError extends Error {
  override readonly name = 'StillWaitingError';

  constructor(waitedMs: number) {
    super(
      `Some versions still wait after ${describeTime(waitedMs)}: the table lists them. Run the same command again to go on waiting.`,
    );
  }
}
