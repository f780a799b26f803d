/** Captures the stdout of the functions in this process, in place of the terminal. */
export interface CapturedLog {
  /** Lines so far that contain the canary. */
  readonly leaks: readonly string[];
  end(): void;
}

/** Looks for the canary in every line. */
export const captureLog = (canary: string): CapturedLog => {
  const { write } = process.stdout;
  const leaks: string[] = [];
  process.stdout.write = (chunk: unknown): boolean => {
    const line = String(chunk);
    if (line.includes(canary)) leaks.push(line);
    return true;
  };
  return {
    leaks,
    end: () => {
      process.stdout.write = write;
    },
  };
};
