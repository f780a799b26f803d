import type { Fault } from './rig/faults.ts';

/** The counts of a part so far. */
export interface Tally {
  histories: number;
  requests: number;
  kills: number;
  readonly befallen: Map<Fault, number>;
}

/** A violation, and the options that reproduce it. */
export interface Violation {
  readonly what: string;
  readonly again: string;
}

export interface PartReport {
  readonly part: string;
  readonly tally: Tally;
  readonly seconds: number;
  readonly violations: readonly Violation[];
  /** Tables of the part, in Markdown. */
  readonly tables?: string;
}

export const startTally = (): Tally => ({
  ...{ histories: 0, requests: 0, kills: 0 },
  befallen: new Map(),
});

export const addBefallen = ({ befallen }: Tally, more: ReadonlyMap<Fault, number>): void => {
  for (const [fault, count] of more) befallen.set(fault, (befallen.get(fault) ?? 0) + count);
};

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, one) => all + one, 0);

const columns = ['', 'histories', 'requests', 'faults', 'kills', 'seconds', 'violations'];

const toRow = ({ part, tally, seconds, violations }: PartReport): string[] => [
  part,
  ...[
    tally.histories,
    tally.requests,
    sum(tally.befallen.values()),
    tally.kills,
    Math.round(seconds),
    violations.length,
  ].map((count) => count.toLocaleString('en')),
];

const layOut = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) =>
      row
        .map((cell, at) => {
          const width = Math.max(...rows.map((other) => other[at]?.length ?? 0));
          return at === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  '),
    )
    .join('\n');

const listFaults = (reports: readonly PartReport[]): string => {
  const all = startTally();
  for (const { tally } of reports) addBefallen(all, tally.befallen);
  return [...all.befallen].map(([fault, count]) => `${fault} ${count}`).join(', ');
};

/** Returns the counts and the violations as text. */
export const formatReport = (reports: readonly PartReport[], seed: number): string => {
  const violations = reports.flatMap((report) => report.violations);
  const faults = listFaults(reports);
  return [
    ...reports.flatMap(({ tables }) => (tables === undefined ? [] : [`${tables}\n`])),
    layOut([columns, ...reports.map(toRow)]),
    ...(faults ? [`Faults: ${faults}`] : []),
    `Seed: ${seed}`,
    ...violations.map(
      ({ what, again }) => `\nDid not hold: ${what}\nRun it again: npm run proof -- ${again}`,
    ),
    violations.length === 0 ? 'All held.' : '',
  ]
    .filter((line) => line !== '')
    .join('\n');
};
