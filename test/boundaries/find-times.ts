import { globSync, readFileSync } from 'node:fs';

/** A line whose outcome could depend on the speed of the machine: `file:line`, and its text. */
export interface TimeUse {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** Code that waits for a time, measures one, or ends a test after one. */
const patterns: Readonly<Record<string, RegExp>> = {
  'a pause':
    /(?<!['.])\b(setTimeout|setInterval)\(|import \{[^}]*\bset(Timeout|Interval)\b[^}]*\} from/,
  'a duration': /performance\.now\(|hrtime[.(]|cpuUsage\(/,
  'a limit of its own': /\bvi\.wait(For|Until)\(|\btimeout: \d|\{ timeout \}|^\s*\}, [\d_]+\);/,
};

/** Returns the uses of time in the text of a test. */
export const findTimes = (file: string, text: string): TimeUse[] =>
  text
    .split('\n')
    .flatMap((code, at) =>
      Object.entries(patterns).flatMap(([what, pattern]) =>
        pattern.test(code) ? [{ file, line: at + 1, what }] : [],
      ),
    );

/** Returns the uses of time in all tests, without the benchmarks. */
export const findAllTimes = (): TimeUse[] =>
  globSync(['test/**/*.{ts,mjs}', 'local-aws/test/**/*.{ts,mjs}'], {
    exclude: (name) => name === 'node_modules' || name === 'bench',
  }).flatMap((file) => findTimes(file, readFileSync(file, 'utf8')));
