/** What functions in this process write on stdout goes here, and not to the terminal. */
export interface CapturedLog {
  /** Lines so far that hold the canary. */
  readonly told: readonly string[];
  end(): void;
}

/** Looks for what no line may hold. */
export const captureLog = (canary: string): CapturedLog => {
  const { write } = process.stdout;
  const told: string[] = [];
  process.stdout.write = (chunk: unknown): boolean => {
    const line = String(chunk);
    if (line.includes(canary)) told.push(line);
    return true;
  };
  return {
    told,
    end: () => {
      process.stdout.write = write;
    },
  };
};
