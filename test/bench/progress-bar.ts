/** Shows the progress and the remaining time of a long task on stderr. */

const width = 30;
const secondMs = 1000;

const duration = (ms: number): string => {
  const seconds = Math.round(ms / secondMs);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

export interface ProgressBar {
  /** @param share from 0 to 1 */
  update(share: number): void;
  finish(): void;
}

/** Updates one line on a terminal; elsewhere, such as in a log, writes a line for each tenth. */
export const startProgressBar = (label: string): ProgressBar => {
  const began = performance.now();
  let tenths = -1;
  const show = (share: number, rest: string): void => {
    const filled = Math.round(share * width);
    const bar = `${'#'.repeat(filled)}${'-'.repeat(width - filled)}`;
    const line = `${label} [${bar}] ${String(Math.round(share * 100)).padStart(3)}%  ${rest}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\x1b[K`);
    else if (Math.floor(share * 10) > tenths) process.stderr.write(`${line}\n`);
    tenths = Math.max(tenths, Math.floor(share * 10));
  };
  return {
    update: (share) => {
      if (share <= 0) return;
      const left = ((performance.now() - began) * (1 - share)) / share;
      show(share, `${duration(left)} left`);
    },
    finish: () => {
      show(1, `took ${duration(performance.now() - began)}`);
      if (process.stderr.isTTY) process.stderr.write('\n');
    },
  };
};
