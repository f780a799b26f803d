/** What functions in this process write on stdout goes here, and not to the terminal. */
export interface CapturedLog {
  /** Lines so far that hold any of these texts. */
  readonly told: readonly string[];
  readonly lines: number;
  end(): void;
}

/** Looks for texts that no line may hold. */
export const captureLog = (canaries: readonly string[] = []): CapturedLog => {
  const { write } = process.stdout;
  const told: string[] = [];
  let lines = 0;
  process.stdout.write = (chunk: unknown): boolean => {
    const line = String(chunk);
    lines += 1;
    if (canaries.some((canary) => line.includes(canary))) told.push(line);
    return true;
  };
  return {
    told,
    get lines() {
      return lines;
    },
    end: () => {
      process.stdout.write = write;
    },
  };
};
