/** Installs from each candidate in turn, within rounds. */
import type { Installation } from './client.ts';

/** A registry from which clients install. */
export interface Candidate {
  readonly name: string;
  /** With a trailing slash. */
  readonly address: string;
}

/** What one install needed. */
export interface Install extends Installation {
  /** Requests to the gate; 0 for other candidates. */
  readonly gateRequests: number;
  readonly originRequests: number;
  /** Read units of the gate. */
  readonly readUnits: number;
}

/** The installs of one round by candidate. */
export type Round = Readonly<Record<string, Install>>;

/** Returns the candidates in a different order for each round, so that their predecessors vary. */
const rotate = <T>(all: readonly T[], by: number): T[] => {
  const at = by % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
};

/** Throws if two candidates install a different number of packages, because their times would not be comparable. */
const checkInstalled = (round: Round): void => {
  const [[first, install] = ['', undefined], ...others] = Object.entries(round);
  for (const [name, { installed }] of others) {
    if (installed === install?.installed) continue;
    throw new Error(`${first} installs ${install?.installed} packages, and ${name} ${installed}`);
  }
};

export interface RoundsOptions {
  readonly candidates: readonly Candidate[];
  readonly install: (candidate: Candidate) => Promise<Install>;
  /** Gets the number of completed rounds; returns whether another one follows. */
  readonly goOn: (done: number) => boolean;
}

/** Returns the rounds after a first one, which fills caches and starts processes, and does not count. */
export const runRounds = async ({
  candidates,
  install,
  goOn,
}: RoundsOptions): Promise<readonly Round[]> => {
  const rounds: Round[] = [];
  do {
    const installs = new Map<Candidate, Install>();
    for (const candidate of rotate(candidates, rounds.length)) {
      installs.set(candidate, await install(candidate));
    }
    // In the order of the candidates, whatever the order of the installs.
    const round = Object.fromEntries(
      candidates.flatMap((one) => {
        const done = installs.get(one);
        return done ? [[one.name, done] as const] : [];
      }),
    );
    checkInstalled(round);
    rounds.push(round);
  } while (goOn(rounds.length - 1));
  return rounds.slice(1);
};
